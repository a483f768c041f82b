//! The events of a run: printed text, computed values, the cost of ops, and the ops at which a debugger stops.

mod elements;
pub(crate) mod recorded;
pub(crate) mod show;
pub(crate) mod tally;
pub(crate) mod traced;

use crate::findings::Finding;
use crate::memory::Memory;
use crate::ops::context::Tiled;
use crate::values::value::Value;
pub use elements::Elements;
pub use recorded::Recorded;
pub use show::Shown;
use std::time::Duration;
pub use tally::{Summary, Tally};
use tile_analysis::ir::{self, Body, OpId};
pub use traced::{Execution, Traced};

/// Receives the events of a run.
pub trait Observer: Send {
    /// A tile block has printed something. Blocks report in the order of the grid.
    fn printed(&mut self, op: OpId, block: [u32; 3], text: &[u8]);

    /// A watched value has been computed. Blocks report in the order of the grid.
    fn traced(&mut self, _: &Traced) {}

    /// An op is about to access memory. Only in runs with [`Watch::accesses`](crate::Watch::accesses); blocks report in
    /// the order of the grid.
    fn accessed(&mut self, _: &Accessed) {}

    /// An op is about to run; it runs when this returns true, otherwise the run is cancelled. Only in runs with
    /// [`Watch::steps`](crate::Watch::steps).
    fn before(&mut self, _: &At<'_>) -> bool {
        true
    }

    /// An op has failed, which ends the run. Only in runs with [`Watch::steps`](crate::Watch::steps).
    fn failed(&mut self, _: &At<'_>, _: &Finding) {}

    /// The cost of each op, by its number, at the end of a run that counts it, even a failed one.
    fn profiled(&mut self, _: &[Cost]) {}

    /// What each value held, at the end of a run with [`Watch::records`](crate::Watch::records), even a failed one.
    /// Values that were not computed are omitted.
    fn recorded(&mut self, _: &[Recorded]) {}
}

/// An observer that collects the printed text.
impl Observer for Vec<u8> {
    fn printed(&mut self, _: OpId, _: [u32; 3], text: &[u8]) {
        self.extend_from_slice(text);
    }
}

/// The elements that an op accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accessed {
    /// The op.
    pub op: OpId,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// The address of each accessed element, in units of 4 bits, with its index in the tile.
    pub elements: Vec<(usize, u64)>,
}

/// The cost of an op in all tile blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// How often it ran.
    pub runs: u64,
    /// How long it ran, without the ops in its regions.
    pub time: Duration,
    /// How many bytes it read from memory.
    pub read: u64,
    /// How many bytes it wrote to memory.
    pub written: u64,
}

/// The current state of a run, and its values.
pub struct At<'a> {
    /// The op that is about to run, or that has failed.
    pub op: OpId,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: &'a [u64],
    pub(crate) body: &'a Body,
    pub(crate) values: &'a [Value],
    /// The memory, with the allocations of the caller.
    pub memory: &'a Memory,
}

impl At<'_> {
    /// A value in readable form. One that has not been computed is a token.
    pub fn value(&self, value: ir::Value) -> Shown {
        show::value(self.body.ty(value), &self.values[value.0 as usize], self.memory, false)
    }

    /// The elements of a tile; `None` if the value is not a tile or has not been computed.
    pub fn elements(&self, value: ir::Value) -> Option<Elements<'_>> {
        let Value::Tile(tile) = &self.values[value.0 as usize] else { return None };
        Some(Elements { tiled: Tiled::of(self.body.ty(value)), tile, memory: self.memory })
    }
}
