//! Reading a program from a file or stream, and the messages for errors.

use std::io::{self, Read};
use tile_input::MAX_PROGRAM;
use tile_syntax::visible::escape_line;

/// Reads the rest of a file or stream of about `expected` bytes.
pub fn read(input: &mut dyn Read, expected: u64) -> io::Result<Vec<u8>> {
    tile_input::read_open(input, expected, MAX_PROGRAM)
}

/// The message for a file that cannot be read.
pub fn unreadable(path: &str, error: &io::Error) -> String {
    let path = escape_line(path);
    match error.kind() {
        io::ErrorKind::NotFound => format!("file `{path}` not found"),
        io::ErrorKind::IsADirectory => format!("`{path}` is a folder, not a file"),
        _ => format!("cannot read `{path}`: {error}"),
    }
}
