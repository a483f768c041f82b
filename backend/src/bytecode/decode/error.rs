//! What is wrong with a file.

use std::fmt;

/// Why bytes are no bytecode that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The byte at which that shows, counted from the start of the file.
    pub offset: usize,
    /// What is wrong, in one sentence without its full stop.
    pub message: String,
}

/// What reading gives.
pub(super) type Read<T> = Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for Error {}
