//! The CPU engine: runs an entry as the language defines it, and stops where the language leaves the behavior
//! undefined.
//!
//! Invariants:
//! - depends on the IR alone: not on launch directives, workers, bytecode, GPUs, files or editors;
//! - is the reference for every other way to run a program;
//! - contains no `unsafe` code.
//!
//! [`run`] plans the entry once, resolving every type, and then runs the tile blocks, x fastest, on all cores if that
//! is worthwhile. An op computes its whole tile at once. Rounding is exact; unspecified values are the same on every
//! run, except where they depend on the order in which blocks access the same memory.
//!
//! - `values`: tiles, views and tokens; `memory`: the device's address space; `simd`: loops over elements, and
//!   rounding;
//! - `ops`: the ops, one file per chapter of the language;
//! - `exec`: the plan of an entry, the interpreter, the threads, and the execution strategies (`exec/strategy`);
//! - `optimize`: affine addressing, fusion, batches, pairwise reductions;
//! - `sanitize`: checks for undefined behavior; `findings`: what a run can report, with a page for each;
//! - `options`, `observer`: the caller's settings, and the events reported to it.

mod exec;
pub mod findings;
mod memory;
mod observer;
mod ops;
mod optimize;
mod options;
mod sanitize;
mod simd;
mod values;

#[cfg(test)]
mod tests;

pub use exec::run::run;
pub use memory::recorded_views::RecordedView;
pub use memory::{AllocationId, Memory};
pub use observer::{Accessed, At, Cost, Elements, Execution, Observer, Recorded, Shown, Summary, Tally, Traced};
pub use options::{Argument, Options, Statistics, Watch, blocks};
