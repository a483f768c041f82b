//! Bounded reading of untrusted input: files in a folder, and messages on a stream.
//!
//! Invariants:
//! - depends on no other crate of the workspace, and does not interpret the files and messages;
//! - every read has a limit, and a file found in a folder is read only if it is regular, so that reading never waits
//!   for another process;
//! - every error names the kind of the file or the limit.

mod file;
mod frames;
mod reach;
pub mod size;

pub use file::{MAX_PROGRAM, MAX_SETTINGS, contains, is_refused, open_given, open_regular, read, read_open, read_text};
pub use frames::{Frame, Frames};
pub use reach::Reach;
