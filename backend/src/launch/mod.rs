//! What to run, on what, and what to expect: the launch directives above an `entry`.
//!
//! [`parse`] reads them from the text of a file; [`Arg::value`] makes the buffers; [`Expect::check`] compares what came
//! out. Nothing here runs a kernel, reads a file (the caller hands in a resolver) or panics.
//!
//! - [`directive`]: the lines themselves; [`spec`]: what an argument gets; `address`, `target`: addresses of buffers;
//! - [`buffer`], `contents`, [`npy`], [`random`]: the bytes it gets;
//! - [`expr`]: the formulas of the expectations; [`expect`]: expectations and their reports.

mod address;
pub mod bind;
pub mod buffer;
pub(crate) mod certain;
mod contents;
mod cursor;
pub mod directive;
pub mod editor;
mod element_by_name;
mod error;
pub mod expect;
pub mod expr;
pub mod find;
mod literal;
pub mod npy;
pub mod random;
mod shape;
pub mod skeleton;
pub mod spec;
mod target;
pub mod words;

pub use address::Address;
pub use buffer::{Buffer, Value};
pub use contents::Files;
pub use directive::{Arg, Directives, Launch, name_of, parse};
pub use error::LaunchError;
pub use expect::{After, Expect, Outcome};
pub use literal::Number;
pub use spec::{Init, Spec, parse_spec};
pub use target::Target;
