//! Runs watched ops: reports each one to the observer before it runs, measures it, and traces its results.

use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::exec::output::Output;
use crate::exec::plan::{Action, Exit, Step};
use crate::exec::watch::BEFORE_THE_FIRST;
use crate::findings::{Finding, did_not_finish};
use crate::observer::At;
use tile_clock::Instant;

impl<'a, I: Instrumentation<'a>> Interpreter<'a, I> {
    /// Runs a step under observation.
    #[cold]
    pub(crate) fn watched(&mut self, step: &'a Step) -> RunResult<Option<Exit>> {
        let is_loop = matches!(step.action, Action::For(_) | Action::Loop(_));
        if !self.show_before(step) {
            return self.check(step, Err(did_not_finish::cancelled()));
        }
        let Some(watcher) = self.instrumentation.watcher_mut() else { return self.step(step) };
        watcher.access(step, &mut self.values, &self.context);
        if is_loop {
            watcher.iterations.push(BEFORE_THE_FIRST);
        }
        let around = std::mem::take(&mut watcher.inside);
        let began = Instant::now();
        let outcome = self.step(step);
        let took = began.elapsed();
        if let Err(finding) = &outcome {
            self.show_failed(step, finding);
        }
        let Some(watcher) = self.instrumentation.watcher_mut() else { return outcome };
        watcher.count_time(step, took, around);
        if is_loop {
            watcher.iterations.pop();
        }
        // A deferred op has no result yet.
        if let Ok(None) = outcome
            && !self.is_deferred(step)
        {
            self.computed(step);
        }
        outcome
    }

    /// Runs an op that was deferred in these iterations of the enclosing loops.
    #[cold]
    pub(crate) fn watched_late(&mut self, step: &'a Step, mut iterations: Vec<u64>) -> RunResult<()> {
        let began = Instant::now();
        self.execute(step)?;
        let took = began.elapsed();
        let Some(watcher) = self.instrumentation.watcher_mut() else { return Ok(()) };
        watcher.count_late(step, took);
        std::mem::swap(&mut watcher.iterations, &mut iterations);
        self.computed(step);
        if let Some(watcher) = self.instrumentation.watcher_mut() {
            watcher.iterations = iterations;
        }
        Ok(())
    }

    /// Reports the results of an op.
    fn computed(&mut self, step: &Step) {
        if let Some(watcher) = self.instrumentation.watcher_mut() {
            let results = self.body.results(self.body.op(step.op)).map(|value| value.0 as usize);
            watcher.computed(results, &self.values, &self.context);
        }
    }
}
impl<'a, I: Instrumentation<'a>> Interpreter<'a, I> {
    /// Reports an op to the observer before it runs. Returns whether it may run.
    fn show_before(&self, step: &Step) -> bool {
        self.shown(step, |output, at| output.before(at)).unwrap_or(true)
    }

    /// Reports a failed op to the observer, unless the failure is that of an op inside it, which was already reported.
    fn show_failed(&self, step: &Step, finding: &Finding) {
        if finding.op.is_none_or(|op| op == step.op) {
            self.shown(step, |output, at| output.failed(at, finding));
        }
    }

    fn shown<T>(&self, step: &Step, show: impl FnOnce(&Output<'_>, &At<'_>) -> T) -> Option<T> {
        let watcher = self.instrumentation.watcher().filter(|watcher| watcher.shows_steps())?;
        let (block, iterations) = (self.context.block, watcher.iterations());
        let (body, values, memory) = (self.body, &self.values[..], &self.context.memory);
        Some(show(self.context.printer.output, &At { op: step.op, block, iterations, body, values, memory }))
    }
}
