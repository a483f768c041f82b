//! Defers memory accesses in scheduled runs.

use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::exec::plan::Step;
use crate::exec::schedule::{MAX_TURNS, Pending};

impl<'a, I: Instrumentation<'a>> Interpreter<'a, I> {
    /// Defers the op whose operands are ready, if that is allowed and the seed decides so.
    pub(crate) fn defers(&mut self, step: &'a Step) -> bool {
        let Some(schedule) = self.instrumentation.schedule_mut().filter(|_| step.movable) else { return false };
        if schedule.random.below(2) == 0 {
            let inputs = std::mem::take(&mut self.inputs);
            let iterations =
                self.instrumentation.watcher().map(|watcher| watcher.iterations().to_vec()).unwrap_or_default();
            let pending = Pending { step, inputs, iterations };
            if let Some(schedule) = self.instrumentation.schedule_mut() {
                schedule.pending.push(pending);
            }
            return true;
        }
        false
    }

    /// Whether an op is deferred.
    pub(crate) fn is_deferred(&self, step: &Step) -> bool {
        let is_it = |pending: &Pending<'_>| std::ptr::eq(pending.step, step);
        self.instrumentation
            .instruments()
            .and_then(|instruments| instruments.schedule.as_ref())
            .is_some_and(|schedule| schedule.pending.iter().any(is_it))
    }

    /// Runs the deferred ops that must run before an op, and randomly some others.
    pub(crate) fn flush_before(&mut self, step: &Step) -> RunResult<()> {
        while let Some(schedule) = self.instrumentation.schedule_mut().filter(|schedule| !schedule.pending.is_empty()) {
            let Some(index) = schedule.pending.iter().position(|pending| step.needs(pending.step)) else {
                if schedule.random.below(8) == 0 {
                    let index = schedule.random.below(schedule.pending.len());
                    self.run_pending(index)?;
                }
                return Ok(());
            };
            self.run_pending(index)?;
        }
        Ok(())
    }

    /// Runs all deferred ops.
    pub(crate) fn flush(&mut self) -> RunResult<()> {
        while let Some(schedule) = self.instrumentation.schedule_mut().filter(|schedule| !schedule.pending.is_empty()) {
            let index = schedule.random.below(schedule.pending.len());
            self.run_pending(index)?;
        }
        Ok(())
    }

    /// Handles the start of a loop iteration, which may be waiting for a deferred op.
    pub(crate) fn flush_sometimes(&mut self) -> RunResult<()> {
        let Some(schedule) = self.instrumentation.schedule_mut() else { return Ok(()) };
        schedule.turns += 1;
        if schedule.turns < MAX_TURNS {
            return Ok(());
        }
        schedule.turns = 0;
        self.flush()
    }

    fn run_pending(&mut self, index: usize) -> RunResult<()> {
        let Some(schedule) = self.instrumentation.schedule_mut() else { return Ok(()) };
        let Pending { step, inputs, iterations } = schedule.pending.swap_remove(index);
        self.inputs = inputs;
        if self.instrumentation.watcher().is_some() { self.watched_late(step, iterations) } else { self.execute(step) }
    }
}

impl Step {
    /// Whether it reads or redefines a result of another op.
    fn needs(&self, other: &Step) -> bool {
        let defines = |slot: usize| (other.results..other.results + other.result_count).contains(&slot);
        self.results == other.results && other.result_count > 0
            || self.operands.iter().any(|operand| defines(operand.slot))
    }
}
