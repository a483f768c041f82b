//! `tile.toml`: the project's settings for checking and formatting. `docs/configuration.md` is its manual.
//!
//! Invariants: the only crate of the workspace it knows is `tile-input`, so codes and versions are plain strings here;
//! it reads no file except `tile.toml`.

mod closest;
mod config;
mod configs;
mod load;
mod read;

pub use closest::closest;
pub use config::{Config, Level, Located};
pub use configs::{Check, Configs};
pub use load::{FILE_NAME, nearest};
