//! Values as they were computed, and when.

use crate::observer::show::Shown;
use serde::{Deserialize, Serialize};
use tile_analysis::ir;

/// One execution of an op: its tile block, and the iterations of the enclosing loops.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: Vec<u64>,
}

/// A value as it was computed.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// The IR value that was computed.
    pub value: ir::Value,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// Its contents in readable form.
    pub shown: Shown,
    /// The elements in row-major order as in memory, 4-bit elements in one byte each. Only for tiles, in runs with
    /// [`Watch::contents`](crate::Watch::contents).
    pub contents: Option<Vec<u8>>,
}
