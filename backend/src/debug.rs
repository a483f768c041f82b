//! Going through a run op by op: what a debugger and the worker that runs for it say to each other.
//!
//! A job that is to be debugged ([`crate::worker::Watching::debug`]) tells the caller where it stops, and waits there for a
//! [`Command`] that has it go on. Only the CPU engine can be debugged.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::ir::{Body, OpId, RegionId, Value};
use tile_engine::Shown;

/// What the caller says to a run that it debugs.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Stop in front of these ops, by number, and of no others.
    Stops(Vec<u32>),
    /// Stop in front of the next op.
    Pause,
    /// Go on.
    Go(Pace),
    /// Tell elements of a tile, by their places in row-major order.
    Elements(u32, Range<u64>),
}

/// How far a run goes on.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// To the next op where it is to stop.
    Run,
    /// To the next op.
    Into,
    /// To the next op that is no deeper in regions.
    Over,
    /// To the next op that is less deep in regions.
    Out,
}

/// How a run is debugged from its beginning.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Debugging {
    /// The ops in front of which it stops, by number.
    pub stops: Vec<u32>,
    /// Whether it stops in front of its first op.
    pub on_entry: bool,
}

/// A run has stopped.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Stopped {
    /// Why.
    pub why: Why,
    /// The op that comes next, or that has failed, by number.
    pub op: u32,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around the op, the outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// The values that the op may use, by number, in the order of their definitions.
    pub values: Vec<(u32, Shown)>,
}

/// Why a run has stopped.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It begins.
    Entry,
    /// It is to stop in front of this op.
    Stop,
    /// It has gone as far as it was to go.
    Step,
    /// It was asked to.
    Pause,
    /// The op has failed. Going on ends the run.
    Failed {
        /// The code of the finding.
        code: String,
        /// What it says.
        message: String,
    },
}

/// Where the ops of a body are, seen from inside.
pub struct Nesting {
    /// For each op the region that it is in, and its place there.
    places: Vec<(RegionId, usize)>,
    /// For each region the op that it belongs to; none for the body's own.
    owners: Vec<Option<OpId>>,
}

impl Nesting {
    /// Looks at a body.
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

    /// The ops around an op, the innermost first.
    pub fn around(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        let owner = |op: &OpId| self.owners[self.places[op.0 as usize].0.0 as usize];
        std::iter::successors(owner(&op), owner)
    }

    /// How many ops are around an op.
    pub fn depth(&self, op: OpId) -> usize {
        self.around(op).count()
    }

    /// The values that an op may use, in the order of their definitions.
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
