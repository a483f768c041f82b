//! Files of a project: finding them below a folder, reading them, saving them atomically, and computing diffs.
//!
//! Invariants:
//! - does not know what the files contain;
//! - an interrupted or failed save leaves either the old content or the new one;
//! - follows `.ignore`, `.gitignore` and the patterns of `tile.toml`, and does not follow links out of the folder.

mod busy;
pub mod diff;
mod find;
mod read;
mod rules;
mod save;

pub use find::{below, below_where, files};
pub use read::{read, unreadable};
pub use save::{Original, Replaced, can_replace, replace};
