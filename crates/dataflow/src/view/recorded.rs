//! Accesses of a run, for ops whose elements depend on loaded values.

use super::points::{Execution, MAX_POINTS, MAX_RUNS, Points};
use std::collections::BTreeMap;
use tile_analysis::ir::{OpId, Value};

/// The recorded accesses of a run, of each op to each buffer.
#[derive(Debug, Default)]
pub struct Recording(BTreeMap<(OpId, Value), Recorded>);

/// The recorded accesses of an op to a buffer.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    executions: Vec<Execution>,
    runs: usize,
    /// Whether some are left out, because there are too many.
    is_cut: bool,
}

impl Recording {
    /// Adds an access of a tile block in iterations of the loops around the op: the parameter with the buffer, and runs
    /// of adjacent elements, each with the index of the first and how many.
    pub fn add(&mut self, op: OpId, block: [u32; 3], iterations: &[u64], buffer: Value, runs: Vec<(i64, i64)>) {
        let found = self.0.entry((op, buffer)).or_default();
        if found.executions.len() == MAX_POINTS || found.runs > MAX_RUNS {
            found.is_cut = true;
            return;
        }
        found.runs += runs.len();
        let iterations = iterations.iter().map(|&iteration| iteration as i64).collect();
        found.executions.push(Execution { block: block.map(i64::from), iterations, runs, out_of_bounds: 0 });
    }

    /// The buffers that an op accessed, each with its accesses.
    pub(super) fn of(&self, op: OpId) -> impl Iterator<Item = (Value, &Recorded)> {
        self.0.range((op, Value(0))..=(op, Value(u32::MAX))).map(|(&(_, buffer), recorded)| (buffer, recorded))
    }
}

impl Recorded {
    /// The executions in the order of the tile blocks, for a buffer with these extents.
    pub(super) fn points(&self, extents: Vec<i64>) -> Points {
        let mut points = self.executions.clone();
        points.sort_by_key(|Execution { block: [x, y, z], iterations, .. }| ([*z, *y, *x], iterations.clone()));
        Points { extents, is_tensor: false, points, is_cut: self.is_cut }
    }
}
