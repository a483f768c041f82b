//! Messages to the user, with their exit statuses.

use std::error::Error;
use std::io::{self, Write};
use tile_analysis::render::escape;

/// Prints a line to standard output. Returns the exit status.
pub(crate) fn print(text: impl std::fmt::Display) -> u8 {
    let mut out = io::stdout();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_or_else(|error| output_failed(&error), |()| 0)
}

/// Prints a message to standard error.
pub(crate) fn note(message: impl std::fmt::Display) {
    // If standard error is closed, there is nowhere to report it.
    let _ = writeln!(io::stderr(), "{}", escape(&message.to_string()));
}

/// Prints an error to standard error. Returns the exit status 2.
pub(crate) fn fail(message: impl std::fmt::Display) -> u8 {
    note(format_args!("error: {message}"));
    2
}

/// The exit status when the output cannot be written. A closed pipe is the reader's choice, not an error.
pub(crate) fn output_failed(error: &io::Error) -> u8 {
    if is_closed(error) { 0 } else { fail(format_args!("cannot write the output: {error}")) }
}

/// Whether the error, or one that it wraps, is that the reader has closed the pipe.
fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    let inner = io.and_then(io::Error::get_ref).map(|inner| inner as &(dyn Error + 'static));
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || inner.or_else(|| error.source()).is_some_and(is_closed)
}
