//! The formatter of Tile IR text. `docs/style.md` describes its style and the reasons for it.
//!
//! Invariants:
//! - knows the syntax of ops but not their meaning: it does not depend on `tile-analysis`;
//! - loses nothing: tokens and comments stay in order; only whitespace changes, and redundant prefixes and defaults are
//!   removed;
//! - never fails: a statement with a syntax error stays unchanged and all others are laid out; if that would change how
//!   the text parses, all of it stays unchanged;
//! - is idempotent and takes linear time.

pub mod command;
mod directive;
mod document;
mod encoding;
mod format;
mod guard;
mod keep;
mod line_breaking;
mod options;
mod plan;
mod range;
mod source;
mod spacing;
mod taint;
mod writer;

pub use format::format;
pub use options::Options;
pub use range::format_range;
