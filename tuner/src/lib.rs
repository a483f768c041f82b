//! Performance of kernels: results of benchmarks and their baselines, and the search for optimization hints.
//!
//! Invariants:
//! - kernels run in workers ([`tile_backend::worker`]), never in this process;
//! - it reads and writes no files, and prints nothing;
//! - a change of a program is a change of hints in its text, which leaves its meaning unchanged.

pub mod hints;
pub mod machines;
pub mod results;
pub mod search;
pub mod space;
pub mod variant;
