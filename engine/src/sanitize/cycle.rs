//! Loops that cannot end: an iteration begins with the values and the memory with which an earlier one began.

use super::Sanitizer;
use super::access::Access;
use super::clock::Strength;
use crate::findings::{Fault, did_not_finish};
use crate::kernel::Outcome;
use crate::memory::Memory;
use crate::ops::reach::Span;
use crate::reuse::Pooled;
use crate::tile::{Word, with_kind};
use crate::value::Value;
use tile_analysis::ir::OpId;

/// One loop that runs: the state at one of its iterations, with which later ones are compared. The state is kept anew
/// after 1, 2, 4, … iterations, so that a cycle of any length is found.
#[derive(Default)]
pub(crate) struct Cycle {
    turn: u64,
    kept_at: u64,
    values: Vec<Value>,
    changes: u64,
    waits: u64,
}

/// What loops must know of memory.
#[derive(Default)]
pub(super) struct Watch {
    /// The loops that run, one in another: the number of each, counted from 1.
    loops: Vec<u32>,
    /// How many loops have begun.
    begun: u32,
    /// How often memory was seen to have changed.
    changes: u64,
    /// What has been written since memory was looked at, and what it held before.
    written: Vec<Written>,
    /// How many accesses could have seen what another tile block wrote.
    waits: u64,
    /// The last of them, and where it looked.
    waiting: Option<(OpId, u64)>,
}

/// One element that was written.
struct Written {
    address: u64,
    size: usize,
    before: u64,
}

/// Where an iteration writes more elements than this, memory is taken to have changed.
const MOST_WRITTEN: usize = 64;

impl Watch {
    /// An op accesses memory.
    pub(super) fn access(&mut self, op: OpId, access: &Access, spans: &[Span], memory: &Memory) {
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
        if count + self.written.len() > MOST_WRITTEN {
            self.changes += 1;
            self.written.clear();
            return;
        }
        let size = access.reached.size;
        for address in super::touch::addresses(spans) {
            // What it held at first is what counts.
            if self.written.iter().all(|written| written.address != address)
                && let Some(before) = memory.bits_at(address, size)
            {
                self.written.push(Written { address, size, before });
            }
        }
    }

    /// How many loops have begun in the tile block.
    pub(super) fn begun(&self) -> u32 {
        self.begun
    }

    /// The number of the innermost loop that runs.
    pub(super) fn innermost(&self) -> Option<u32> {
        self.loops.last().copied()
    }

    /// Looks whether memory has changed.
    fn look(&mut self, memory: &Memory) {
        let changed = |written: Written| memory.bits_at(written.address, written.size) != Some(written.before);
        if std::mem::take(&mut self.written).into_iter().any(changed) {
            self.changes += 1;
        }
    }
}

/// Whether two values are the same to the last bit.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Tile(a), Value::Tile(b)) if a.kind() == b.kind() => with_kind!(a.kind(), T => {
            let (a, b) = (T::of(a), T::of(b));
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.bits() == b.bits())
        }),
        (Value::View(a), Value::View(b)) => (a.base, &a.shape, &a.strides) == (b.base, &b.shape, &b.strides),
        (Value::Token, Value::Token) => true,
        _ => false,
    }
}

impl Sanitizer {
    /// A loop begins, or ends.
    pub(crate) fn loops(&mut self, begins: bool) {
        let watch = &mut self.watch;
        if begins {
            watch.begun += 1;
            watch.loops.push(watch.begun);
        } else {
            watch.loops.pop();
        }
    }

    /// A loop begins an iteration with these values; so many tile blocks have not begun.
    pub(crate) fn turn(&mut self, cycle: &mut Cycle, values: &[Value], left: u64, memory: &Memory) -> Outcome<()> {
        self.watch.look(memory);
        let watch = &self.watch;
        let again = cycle.turn > 0
            && cycle.changes == watch.changes
            && cycle.values.len() == values.len()
            && cycle.values.iter().zip(values).all(|(a, b)| same(a, b));
        if again {
            return Err(match watch.waiting.filter(|_| watch.waits > cycle.waits) {
                Some((_, address)) => {
                    self.waiting(did_not_finish::waits_for_ever(&memory.element_at(address)), left, memory)
                }
                None => did_not_finish::cycle(cycle.turn, cycle.turn - cycle.kept_at),
            });
        }
        if cycle.turn.is_power_of_two() || cycle.turn == 0 {
            (cycle.values, cycle.kept_at) = (values.to_vec(), cycle.turn);
            (cycle.changes, cycle.waits) = (watch.changes, watch.waits);
        }
        cycle.turn += 1;
        Ok(())
    }

    /// Says for what a loop waits that was stopped, if it does.
    pub(crate) fn waiting(&self, fault: Box<Fault>, left: u64, memory: &Memory) -> Box<Fault> {
        let Some((op, address)) = self.watch.waiting.filter(|_| !self.watch.loops.is_empty()) else { return fault };
        did_not_finish::waits(fault, op, &memory.element_at(address), left)
    }
}
