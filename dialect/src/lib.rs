//! The table of CUDA Tile IR: every op, type, attribute, enum and version, as data.
//!
//! Invariants:
//! - depends on no other crate, ours or anybody's;
//! - holds no code that parses, checks, prints or runs a program: it says what is so, others act on it;
//! - one op is one row, and no fact about an op stands anywhere else.

mod element;
mod version;

pub use element::{ELEMENTS, Element, ElementRow};
pub use version::Version;
