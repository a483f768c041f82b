//! Accesses of a run, for ops whose elements depend on loaded values.

use super::points::{Execution, MAX_POINTS, MAX_RUNS, Points};
use std::collections::BTreeMap;
use tile_analysis::ir::{OpId, Value};

/// The recorded accesses of a run.
#[derive(Debug, Default)]
pub struct Recording(BTreeMap<OpId, Recorded>);

/// The recorded accesses of an op.
#[derive(Debug)]
pub(super) struct Recorded {
    /// The parameter with the buffer.
    pub(super) buffer: Value,
    executions: Vec<Execution>,
    runs: usize,
    /// Whether some are left out, because there are too many, or because they are in another buffer.
    is_cut: bool,
}

impl Recording {
    /// Adds an access of a tile block in iterations of the loops around the op: the parameter with the buffer, and runs of
    /// adjacent elements, each with the index of the first and how many.
    pub fn add(&mut self, op: OpId, block: [u32; 3], iterations: &[u64], buffer: Value, runs: Vec<(i64, i64)>) {
        let found =
            self.0.entry(op).or_insert_with(|| Recorded { buffer, executions: Vec::new(), runs: 0, is_cut: false });
        if found.buffer != buffer || found.executions.len() == MAX_POINTS || found.runs > MAX_RUNS {
            found.is_cut = true;
            return;
        }
        found.runs += runs.len();
        let iterations = iterations.iter().map(|&iteration| iteration as i64).collect();
        found.executions.push(Execution { block: block.map(i64::from), iterations, runs });
    }

    pub(super) fn of(&self, op: OpId) -> Option<&Recorded> {
        self.0.get(&op)
    }
}

impl Recorded {
    /// The executions in the order of the tile blocks, for a buffer with these extents.
    pub(super) fn points(&self, extents: Vec<i64>) -> Points {
        let mut points = self.executions.clone();
        points.sort_by_key(|Execution { block: [x, y, z], iterations, .. }| ([*z, *y, *x], iterations.clone()));
        Points { extents, points, is_cut: self.is_cut }
    }
}
