//! Source-to-source clean-ups of programs: constant folding, common subexpressions, loop-invariant code and more.
//!
//! Invariants:
//! - a program without undefined behavior computes the same bits afterwards, except where the caller permits otherwise
//!   ([`Settings::contract`]). Each pass states why;
//! - names, comments, launch directives and formatting survive: a pass changes only the statements that it decides on;
//! - depends on neither launch directives, workers, bytecode, GPUs nor editors. The engine only evaluates single ops.
//!
//! A pass ([`Pass`], `passes/`) reads the typed IR of an entry and returns [`change::Change`]s. `edits` converts these
//! to edits of the text. [`optimize`] repeats passes until none of them finds anything; [`at`] returns the changes at
//! one position, for editors.

pub mod at;
mod change;
mod edits;
mod entry;
mod evaluate;
mod names;
mod ops;
mod passes;
mod pipeline;
mod settings;

pub use passes::Pass;
pub use pipeline::{Failure, Optimized, Step, optimize};
pub use settings::Settings;
