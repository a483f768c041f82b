//! The ops that have run, by their number since the start of the launch.
//!
//! A debugged run is deterministic, so the state before any earlier op can be restored: the launch runs again up to
//! that op, with the same memory and the same sanitizer.

use crate::debug::Why;

/// The ops that have run.
#[derive(Default)]
pub(super) struct History {
    /// The number of the current op, counted from 1.
    pub(super) now: u64,
    /// The largest number so far. Up to here, the launch runs again.
    reached: u64,
    /// The number of the first op at which the run may stop.
    first: Option<u64>,
    /// The number of the last op at each nesting depth.
    last: Vec<u64>,
    /// The number of the previous op that is not nested more deeply than the current one.
    pub(super) previous: Option<u64>,
}

/// An op to run to without stopping before.
pub(super) enum Goal {
    /// The op with this number.
    Op(u64, Why),
    /// The first op of a tile block.
    Block([u32; 3]),
    /// The last op before the one with this number at which the run would have stopped.
    LastStop { before: u64, found: Option<(u64, Why)> },
}

impl History {
    /// Begins again, because the launch does.
    pub(super) fn restart(&mut self) {
        *self = History { reached: self.reached, ..History::default() };
    }

    /// Counts an op.
    pub(super) fn advance(&mut self) {
        self.now += 1;
    }

    /// Records that the run may stop before the current op.
    pub(super) fn visit(&mut self, depth: usize) {
        self.last.resize(self.last.len().max(depth + 1), 0);
        self.previous = self.last[..=depth].iter().copied().max().filter(|&number| number > 0);
        self.last[depth] = self.now;
        self.first.get_or_insert(self.now);
    }

    /// Whether the current op runs for the first time. Returns true once for each op.
    pub(super) fn is_new(&mut self) -> bool {
        let is_new = self.now > self.reached;
        self.reached = self.reached.max(self.now);
        is_new
    }

    /// The number of the first op at which the run may stop.
    pub(super) fn first(&self) -> u64 {
        self.first.unwrap_or(1)
    }
}
