//! Detects infinite loops: an iteration that starts with the values and the memory of an earlier one.

use crate::memory::Memory;
use crate::memory::rows::{Span, addresses};
use crate::sanitize::access::Access;
use crate::sanitize::clock::Strength;
use crate::values::value::Value;
use tile_analysis::ir::OpId;

/// A running loop: the state at one of its iterations, with which later ones are compared. It is replaced after 1, 2,
/// 4, … iterations, so that a cycle of any length is found.
#[derive(Default)]
pub(crate) struct Cycle {
    pub(crate) turn: u64,
    pub(crate) kept_at: u64,
    pub(crate) values: Vec<Value>,
    pub(crate) changes: u64,
    pub(crate) waits: u64,
}

/// The state of memory, as far as loops need it.
#[derive(Default)]
pub(crate) struct Watch {
    /// The running loops, outermost first: the number of each, counted from 1.
    pub(crate) loops: Vec<u32>,
    /// The number of loops that have begun.
    pub(crate) begun: u32,
    /// The number of detected changes of memory.
    pub(crate) changes: u64,
    /// The elements written since the last comparison, and their old contents.
    written: Vec<Written>,
    /// The number of accesses that could have observed other tile blocks.
    pub(crate) waits: u64,
    /// The last of them, and its address.
    pub(crate) waiting: Option<(OpId, u64)>,
}

/// A written element.
struct Written {
    address: u64,
    size: usize,
    before: u64,
}

/// If an iteration writes more elements than this, memory counts as changed.
const MAX_WRITTEN: usize = 64;

impl Watch {
    /// Records an access to memory.
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
            // The original contents count.
            if self.written.iter().all(|written| written.address != address)
                && let Some(before) = memory.bits_at(address, size)
            {
                self.written.push(Written { address, size, before });
            }
        }
    }

    /// The number of loops that have begun in the tile block.
    pub(crate) fn begun(&self) -> u32 {
        self.begun
    }

    /// The number of the innermost running loop.
    pub(crate) fn innermost(&self) -> Option<u32> {
        self.loops.last().copied()
    }

    /// Compares memory with its recorded contents.
    pub(crate) fn look(&mut self, memory: &Memory) {
        let changed = |written: Written| memory.bits_at(written.address, written.size) != Some(written.before);
        if std::mem::take(&mut self.written).into_iter().any(changed) {
            self.changes += 1;
        }
    }
}
