//! Errors of the decoder.

use std::fmt;

/// The reason why a file, or a part of it, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The offset of the error from the start of the file.
    pub offset: usize,
    /// The message, without a full stop.
    pub message: String,
}

/// The result of reading something.
pub(super) type Read<T> = Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for Error {}
