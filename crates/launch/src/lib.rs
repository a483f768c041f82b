//! Launch directives, the `//@` comments above an `entry`: the grid, the arguments and the expected results.
//!
//! [`parse`] reads them from the text of a file, [`Arg::value`] creates the buffers, and [`Expect::check`] compares the
//! results.
//!
//! Invariants:
//! - never runs a kernel, and does not depend on the engine or a GPU;
//! - never reads a file itself: the caller passes a function that does;
//! - never panics, whatever the text.
//!
//! Modules:
//! - [`directive`]: the lines themselves;
//! - [`spec`]: the value of an argument; `address`, `resolved_address`: addresses of buffers;
//! - [`buffer`], `contents`, [`npy`], [`random`]: the initial bytes of buffers;
//! - [`expr`]: the formulas of the expectations; [`gradient`]: gradients in them; [`expect`]: expectations and their
//!   reports; `inspect`: formulas of a debugger;
//! - [`find`]: the launches of a file; [`bind`], `certain`: checks of a launch against its entry; `refusal`: why a
//!   launch is not run;
//! - [`known`]: what is known about a launch before it runs;
//! - [`editor`], [`skeleton`], [`words`]: editor support and documentation.

mod address;
pub mod bind;
pub mod buffer;
mod certain;
mod contents;
mod cursor;
pub mod directive;
pub mod editor;
mod element_by_name;
mod error;
pub mod expect;
pub mod expr;
pub mod find;
pub mod gradient;
mod inspect;
pub mod known;
mod literal;
pub mod npy;
pub mod random;
mod refusal;
mod resolved_address;
mod shape;
pub mod skeleton;
pub mod spec;
pub mod words;

pub use address::Address;
pub use buffer::{Buffer, Value};
pub use contents::Files;
pub use directive::{Arg, Directives, Launch, name_of, parse};
pub use error::LaunchError;
pub use expect::{After, Expect, Outcome};
pub use inspect::{Inspected, Selected, selected};
pub use literal::Number;
pub use refusal::refusal;
pub use resolved_address::ResolvedAddress;
pub use spec::{Init, Spec, parse_spec};
