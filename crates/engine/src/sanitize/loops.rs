//! Detects loops that cannot end, and reports the memory that they wait for.

use crate::findings::{Fault, OpResult, did_not_finish};
use crate::memory::Memory;
use crate::sanitize::Sanitizer;
use crate::sanitize::cycle::Cycle;
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, with_kind};
use crate::values::value::Value;
use tile_analysis::ir::OpId;

/// Whether two values are bitwise equal.
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

impl Sanitizer<'_> {
    /// Records that a loop begins or ends.
    pub(crate) fn loops(&mut self, begins: bool) {
        let watch = &mut self.watch;
        if begins {
            watch.begun += 1;
            watch.loops.push(watch.begun);
        } else {
            watch.loops.pop();
        }
    }

    /// Starts an iteration of a loop with these values; `left` tile blocks have not begun.
    pub(crate) fn turn(
        &mut self,
        op: OpId,
        cycle: &mut Cycle,
        values: &[Value],
        left: u64,
        memory: &Memory,
    ) -> OpResult<()> {
        self.watch.look(memory);
        let watch = &self.watch;
        let mut pairs = cycle.values.iter().zip(values).zip(self.checks.deciding(op));
        let again = cycle.turn > 0
            && cycle.changes == watch.changes
            && cycle.values.len() == values.len()
            && pairs.all(|((a, b), &decides)| !decides || same(a, b));
        if again {
            return Err(match watch.waiting.filter(|_| watch.waits > cycle.waits) {
                Some((_, address)) => {
                    self.waiting(did_not_finish::waits_forever(&memory.element_at(address)), left, memory)
                }
                None => did_not_finish::cycle(
                    cycle.turn,
                    cycle.turn - cycle.kept_at,
                    cycle.values.iter().zip(values).all(|(a, b)| same(a, b)),
                ),
            });
        }
        if cycle.turn.is_power_of_two() || cycle.turn == 0 {
            (cycle.values, cycle.kept_at) = (values.to_vec(), cycle.turn);
            (cycle.changes, cycle.waits) = (watch.changes, watch.waits);
        }
        cycle.turn += 1;
        Ok(())
    }

    /// Explains what a stopped loop was waiting for, if anything.
    pub(crate) fn waiting(&self, fault: Box<Fault>, left: u64, memory: &Memory) -> Box<Fault> {
        let Some((op, address)) = self.watch.waiting.filter(|_| !self.watch.loops.is_empty()) else { return fault };
        did_not_finish::waits(fault, op, &memory.element_at(address), left)
    }
}
