//! The formatter for Tile IR text. `docs/style.md` describes its single style and the reasons for it.
//!
//! Invariants:
//! - It knows the syntax of ops, not their meaning: it does not depend on `tile-analysis`.
//! - It loses nothing: tokens and comments keep their order. Only whitespace changes, and redundant dialect prefixes
//!   and default attributes are dropped.
//! - It never fails: a statement with a syntax error is left unchanged and all others are formatted. If that would
//!   change how the text parses, the whole text is left unchanged.
//! - It is idempotent and takes linear time.

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
