//! Loops that cannot end: an iteration begins with the values and the memory with which an earlier one began.

use crate::memory::Memory;
use crate::memory::rows::{Span, addresses};
use crate::sanitize::access::Access;
use crate::sanitize::clock::Strength;
use crate::values::value::Value;
use tile_analysis::ir::OpId;

/// One loop that runs: the state at one of its iterations, with which later ones are compared. The state is kept anew
/// after 1, 2, 4, … iterations, so that a cycle of any length is found.
#[derive(Default)]
pub(crate) struct Cycle {
    pub(crate) turn: u64,
    pub(crate) kept_at: u64,
    pub(crate) values: Vec<Value>,
    pub(crate) changes: u64,
    pub(crate) waits: u64,
}

/// What loops must know of memory.
#[derive(Default)]
pub(crate) struct Watch {
    /// The loops that run, one in another: the number of each, counted from 1.
    pub(crate) loops: Vec<u32>,
    /// How many loops have begun.
    pub(crate) begun: u32,
    /// How often memory was seen to have changed.
    pub(crate) changes: u64,
    /// What has been written since memory was looked at, and what it held before.
    written: Vec<Written>,
    /// How many accesses could have seen what another tile block wrote.
    pub(crate) waits: u64,
    /// The last of them, and where it looked.
    pub(crate) waiting: Option<(OpId, u64)>,
}

/// One element that was written.
struct Written {
    address: u64,
    size: usize,
    before: u64,
}

/// Where an iteration writes more elements than this, memory is taken to have changed.
const MAX_WRITTEN: usize = 64;

impl Watch {
    /// An op accesses memory.
    pub(crate) fn access(&mut self, op: OpId, access: &Access, spans: &[Span], memory: &Memory) {
        if self.loops.is_empty() {
            return;
        }
        if access.reads && access.strength != Strength::Weak {
            self.waits += 1;
            self.waiting = spans.first().map(|span| (op, span.address)).or(self.waiting);
        }
        if !access.writes {
            return;
        }
        let count: usize = spans.iter().map(|span| span.count).sum();
        if count + self.written.len() > MAX_WRITTEN {
            self.changes += 1;
            self.written.clear();
            return;
        }
        let size = access.reached.size;
        for address in addresses(spans) {
            // What it held at first is what counts.
            if self.written.iter().all(|written| written.address != address)
                && let Some(before) = memory.bits_at(address, size)
            {
                self.written.push(Written { address, size, before });
            }
        }
    }

    /// How many loops have begun in the tile block.
    pub(crate) fn begun(&self) -> u32 {
        self.begun
    }

    /// The number of the innermost loop that runs.
    pub(crate) fn innermost(&self) -> Option<u32> {
        self.loops.last().copied()
    }

    /// Looks whether memory has changed.
    pub(crate) fn look(&mut self, memory: &Memory) {
        let changed = |written: Written| memory.bits_at(written.address, written.size) != Some(written.before);
        if std::mem::take(&mut self.written).into_iter().any(changed) {
            self.changes += 1;
        }
    }
}
