//! Performance of kernels: results of benchmarks and their baselines, and the search for optimization hints.
//!
//! Invariants:
//! - kernels run in workers ([`tile_backend::worker`]), never in this process;
//! - it prints nothing, and its only files are those of the cache of compiled kernels;
//! - a change of a program is a change of hints in its text, which leaves its meaning unchanged.

pub mod device;
pub mod hints;
pub mod journal;
pub mod machines;
mod measuring;
pub mod ranking;
pub mod report;
pub mod results;
pub mod search;
pub mod space;
pub mod tuning;
pub mod variant;
