//! Comparison of two programs by meaning.
//!
//! Invariants:
//! - compares the typed IR of two programs: does not know files, bytecode, launches, GPUs or editors;
//! - never fails: parts that have no counterpart are reported as such;
//! - names, locations, the order of ops and the number of times that a pure op is computed are not part of the meaning.
//!
//! The order of ops is not part of the meaning because only operands order them: accesses of memory and prints are
//! ordered by tokens alone, and all other ops by the values they use.
//!
//! Modules:
//! - `side`: a body with what the comparison needs to know about it; `half`: what it knows so far; `signature`: ops
//!   without their operands;
//! - `fingerprint`: hashes by which ops of the two bodies find each other; `align`: alignment of two sequences;
//! - `effects`: alignment of ops with effects, region by region; `slots`: alignment of carried values;
//! - `numbering`: value numbering of both bodies, given the aligned ops;
//! - `matching`: the differences between two entries, from ops with effects back to the values they use;
//! - `changes`: the fields in which two aligned ops differ; [`report`]: the result as plain data;
//! - `normalize`: both programs as texts that differ only where their meanings do;
//! - `operand`, `types`: operands and types of two aligned ops;
//! - `program`, `symbols`: entries, globals and functions.

mod align;
mod changes;
mod commutative;
mod effects;
mod fingerprint;
mod half;
mod leftovers;
mod matching;
mod normalize;
mod numbering;
mod operand;
mod program;
pub mod report;
mod side;
mod signature;
mod slots;
mod symbols;
mod types;

pub use normalize::{Normalized, normalized};
pub use program::compare;
