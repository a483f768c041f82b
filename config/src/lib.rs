//! `tile.toml`: what a project says about how its programs are checked and laid out. `docs/configuration.md` is its
//! manual.
//!
//! Invariants: knows no other crate of ours but `tile-input`, so it takes codes and versions for words; reads no file but `tile.toml`.

mod closest;
mod config;
mod configs;
mod load;
mod read;

pub use closest::closest;
pub use config::{Config, Level, Located};
pub use configs::{Check, Configs};
pub use load::{FILE_NAME, nearest};
