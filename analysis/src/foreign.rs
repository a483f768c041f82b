//! Words of other languages and their replacements in Tile IR: a table, and its lookup.
//!
//! Used by messages about unknown ops, types, keywords and characters.

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

/// The replacement of a word of another language.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// The word in lower case, without a namespace such as `tl.`.
    pub names: &'static [&'static str],
    /// The corresponding ops of Tile IR; can be empty.
    pub ops: &'static [&'static str],
    /// Whether the op has the same operands in the same order, so that only the name differs. If there are two ops, the
    /// first is for floats and the second for integers.
    pub is_rename: bool,
    /// How to write it in Tile IR, or why it is not needed.
    pub hint: &'static str,
}
