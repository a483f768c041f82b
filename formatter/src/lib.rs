//! The formatter of Tile IR text: one style, described with its reasons in `docs/style.md`.
//!
//! Invariants:
//! - knows how ops are written, not what they mean: `tile-analysis` is no dependency;
//! - loses nothing: tokens and comments stay, in their order; only blanks change, and prefixes and defaults that mean
//!   nothing go;
//! - never fails: a statement with a syntax error stays as it is, and all others are laid out; where that would change how
//!   the text is parsed, all of it stays as it is;
//! - formatting twice is formatting once, and the time it takes grows with the length of the text and nothing else.

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
