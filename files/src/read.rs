//! Reading a file, or all that comes from elsewhere, and saying why that is not possible.

use std::io::{self, Read};
use tile_input::MAX_PROGRAM;
use tile_syntax::visible::escape_line;

/// Reads all that there is, of which so much is expected.
pub fn read(input: &mut dyn Read, expected: u64) -> io::Result<Vec<u8>> {
    tile_input::read_open(input, expected, MAX_PROGRAM)
}

/// Why a file cannot be read, in a sentence.
pub fn unreadable(path: &str, error: &io::Error) -> String {
    let path = escape_line(path);
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file `{path}`"),
        io::ErrorKind::IsADirectory => format!("`{path}` is a folder, not a file"),
        _ => format!("cannot read `{path}`: {error}"),
    }
}
