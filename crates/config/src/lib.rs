//! The project file, `tile.toml`: settings for checking and formatting programs. See `docs/configuration.md`.
//!
//! Invariants: depends on no other crate of the workspace but `tile-input`, so it treats codes and versions as plain
//! strings; reads no file but `tile.toml`.

mod closest;
mod config;
mod configs;
mod load;
mod read;

pub use closest::closest;
pub use config::{Config, Level, Located};
pub use configs::{Check, Configs};
pub use load::{FILE_NAME, nearest};
