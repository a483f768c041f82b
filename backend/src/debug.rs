//! The messages between a debugger and its worker, for stepping through a run.
//!
//! A job under a debugger ([`crate::worker::Watching::debug`]) reports where it stops and waits for a [`Command`]. Only
//! the CPU engine can be debugged.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::ir::{Body, OpId, RegionId, Value};
use tile_engine::Shown;

/// A command of the debugger to the run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Stop before these ops, by number. Replaces the previous list.
    Stops(Vec<u32>),
    /// Stop before the next op.
    Pause,
    /// Continue.
    Go(Pace),
    /// Report elements of a tile, by their indices in row-major order.
    Elements(u32, Range<u64>),
}

/// How far a run continues.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// To the next breakpoint.
    Run,
    /// To the next op.
    Into,
    /// To the next op that is not nested more deeply.
    Over,
    /// To the next op that is nested less deeply.
    Out,
}

/// Where a run stops, as set before it begins.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Debugging {
    /// The ops before which it stops, by number.
    pub stops: Vec<u32>,
    /// Whether it stops before its first op.
    pub on_entry: bool,
}

/// The state of a stopped run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stopped {
    /// The reason.
    pub why: Why,
    /// The next op, or the one that failed, by number.
    pub op: u32,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the enclosing loops, outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// The values in scope at the op, by number, in order of definition.
    pub values: Vec<(u32, Shown)>,
}

/// Why a run has stopped.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The run begins.
    Entry,
    /// A breakpoint.
    Stop,
    /// A step is complete.
    Step,
    /// The debugger requested a pause.
    Pause,
    /// The op failed. Continuing ends the run.
    Failed {
        /// The code of the finding.
        code: String,
        /// The message of the finding.
        message: String,
    },
}

/// The nesting of a body's ops: for each op, the ops that enclose it.
pub struct Nesting {
    /// The region of each op, and the op's index in it.
    places: Vec<(RegionId, usize)>,
    /// The op that each region belongs to; `None` for the body's outermost region.
    owners: Vec<Option<OpId>>,
}

impl Nesting {
    /// Computes the nesting of a body.
    pub fn of(body: &Body) -> Nesting {
        let mut nesting =
            Nesting { places: vec![(RegionId(0), 0); body.ops.len()], owners: vec![None; body.regions.len()] };
        for (number, region) in (0..).map(RegionId).zip(&body.regions) {
            for (place, &id) in region.ops.iter().enumerate() {
                nesting.places[id.0 as usize] = (number, place);
                for inner in body.regions_of(body.op(id)) {
                    nesting.owners[inner.0 as usize] = Some(id);
                }
            }
        }
        nesting
    }

    /// The ops that enclose an op, innermost first.
    pub fn around(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        let owner = |op: &OpId| self.owners[self.places[op.0 as usize].0.0 as usize];
        std::iter::successors(owner(&op), owner)
    }

    /// The number of ops that enclose an op.
    pub fn depth(&self, op: OpId) -> usize {
        self.around(op).count()
    }

    /// The values in scope at an op, in order of definition.
    pub fn visible(&self, body: &Body, op: OpId) -> Vec<Value> {
        let mut visible = Vec::new();
        for inside in std::iter::once(op).chain(self.around(op)) {
            let (region, place) = self.places[inside.0 as usize];
            let region = body.region(region);
            visible.extend_from_slice(&region.args);
            visible.extend(region.ops[..place].iter().flat_map(|&before| body.results(body.op(before))));
        }
        visible.sort_unstable();
        visible
    }
}
