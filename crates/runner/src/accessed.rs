//! The elements of buffers that ops access in a run.

use serde::{Deserialize, Serialize};

/// The elements that an op accessed.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub struct Accessed {
    /// The op, by its number in the entry.
    pub op: u32,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the enclosing loops, outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// The parameter with the buffer, without `%`.
    pub buffer: String,
    /// The accessed elements of the buffer, as runs of adjacent ones: the index of the first, and how many.
    pub runs: Vec<(i64, i64)>,
}
