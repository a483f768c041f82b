//! Bounded reading of what other people wrote: files in a folder, and messages on a stream.
//!
//! Invariants:
//! - knows no other crate of ours, and nothing about what the files and messages say;
//! - no read is without a limit, and none waits for a file that nobody writes: what is found in a folder is read only if
//!   it is a regular file;
//! - every error says what was found and which limit holds.

mod file;
mod frames;
mod reach;

pub use file::{MAX_PROGRAM, MAX_SETTINGS, contains, is_refused, open_given, open_regular, read, read_open, read_text};
pub use frames::{Frame, Frames};
pub use reach::Reach;
