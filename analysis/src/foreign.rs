//! A table of words from other languages and their counterparts in Tile IR, with lookup functions.
//!
//! It is used by messages about unknown ops, types, keywords and characters.

mod keywords;
mod operators;
mod ops;
mod signs;
mod types;

pub use keywords::keyword;
pub use operators::{expression, operand};
pub use ops::op;
pub use signs::{replacement, sign};
pub use types::{element, ty};

/// The counterpart of a word from another language.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// The word in lower case, without a namespace such as `tl.`.
    pub names: &'static [&'static str],
    /// The ops that do the same in Tile IR; empty if there is no counterpart.
    pub ops: &'static [&'static str],
    /// Whether the op takes the same operands in the same order, so that only the name differs. If there are two ops,
    /// the first is for floats and the second for integers.
    pub is_rename: bool,
    /// How to write it in Tile IR, or why it is not needed.
    pub hint: &'static str,
}
