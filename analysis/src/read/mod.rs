//! Reads the parts of ops with a separate grammar: types, attributes, locations.
//!
//! The readers see tokens and the file's [`Context`](crate::context::Context), and nothing of the op around them: the
//! outline reads with them as well as lowering.

pub(crate) mod attr;
pub(crate) mod builtin;
pub(crate) mod dict;
pub(crate) mod location;
pub(crate) mod ty;

mod raw;
pub(crate) mod value;

pub use ty::type_of;
