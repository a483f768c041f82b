//! Symbolic integers: polynomials over the coordinates of tile blocks, loops and tile elements, and over the
//! parameters of an entry.
//!
//! The integers are unbounded: an expression equals the program's value if that value does not wrap around.

mod display;
mod evaluate;
mod expr;
mod function;
mod interval;
mod poly;
mod range;
mod substitute;

pub use display::Names;
pub use evaluate::Environment;
pub use expr::{Apply, Atom, Function, Monomial, Poly, Symbol};
pub(crate) use interval::Interval;
