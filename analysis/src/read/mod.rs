//! Readers for the parts of ops that have their own grammar: types, attributes and locations.
//!
//! The readers depend only on tokens and the file's [`Context`](crate::context::Context), not on the surrounding op, so
//! that both the outline and lowering can use them.

pub(crate) mod attr;
pub(crate) mod builtin;
pub(crate) mod dict;
pub(crate) mod location;
pub(crate) mod ty;

mod raw;
pub(crate) mod value;

pub use ty::type_of;
