//! Files of a project: finding them in folders, reading them, saving them atomically, and printing diffs.
//!
//! Invariants:
//! - does not interpret the contents of files;
//! - an interrupted or failed save leaves either the old content or the new one;
//! - a search respects `.ignore`, `.gitignore` and the patterns of `tile.toml`, and follows no link out of the folder.

mod busy;
pub mod diff;
mod find;
mod read;
mod rules;
mod save;

pub use find::{below, below_where, files};
pub use read::{read, unreadable};
pub use save::{Original, Replaced, can_replace, replace};
