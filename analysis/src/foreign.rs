//! Words of other languages and what takes their place in Tile IR: a table, and how to find a row of it.
//!
//! Messages about unknown ops, types, keywords and characters use it.

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

/// What takes the place of a word of another language.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// The word in lower case, as its languages spell it, without a namespace such as `tl.`.
    pub names: &'static [&'static str],
    /// The ops that do this in Tile IR; none where it has no counterpart.
    pub ops: &'static [&'static str],
    /// Whether the op takes the same operands in the same order, so that the name is all that differs. Where there are two
    /// ops, the first is for floats and the second for integers.
    pub is_rename: bool,
    /// How to write it in Tile IR, or why it need not be written.
    pub hint: &'static str,
}
