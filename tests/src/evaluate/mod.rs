//! An evaluator of integer programs that is independent of the CPU engine: one element at a time, in 128-bit integers.

mod integers;
mod interpreter;
mod memory;
mod value;

pub use interpreter::evaluate;
