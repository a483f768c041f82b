//! What commands say to the user, and the exit statuses that go with it.

use std::error::Error;
use std::io::{self, Write};
use tile_analysis::render::escape;

/// Prints a text. Returns the exit status.
pub(crate) fn print(text: impl std::fmt::Display) -> u8 {
    let mut out = io::stdout();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_or_else(|error| output_failed(&error), |()| 0)
}

/// Says why a command cannot go on. Returns its exit status.
pub(crate) fn fail(message: impl std::fmt::Display) -> u8 {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr(), "error: {}", escape(&message.to_string()));
    2
}

/// The exit status when the output cannot be written. A closed pipe is the reader's choice and no error.
pub(crate) fn output_failed(error: &io::Error) -> u8 {
    if is_closed(error) { 0 } else { fail(format_args!("cannot write the output: {error}")) }
}

/// Whether nobody reads the output any more. The error may be wrapped into others.
fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    let inner = io.and_then(io::Error::get_ref).map(|inner| inner as &(dyn Error + 'static));
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || inner.or_else(|| error.source()).is_some_and(is_closed)
}
