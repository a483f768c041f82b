//! Runs tile blocks one after another, op by op, with a sanitizer, a schedule or a watcher in any combination.

use crate::exec::block_scheduler::Blocks;
use crate::exec::instrumentation::Instruments;
use crate::exec::interpreter::Interpreter;
use crate::exec::plan::Plan;
use crate::exec::schedule::Schedule;
use crate::exec::strategy::launch::{Launch, Strategy, Worker};
use crate::exec::watch::{self, Watcher};
use crate::observer::{Cost, Recorded};
use crate::sanitize::Sanitizer;
use crate::sanitize::checks::Checks;

/// Runs a plan that keeps every op and value of the text observable.
pub(crate) struct Instrumented<'p> {
    pub(crate) plan: Plan,
    /// The checks of a sanitized run.
    pub(crate) checks: Option<Checks>,
    /// The watched values and costs.
    pub(crate) watch: Option<watch::Plan<'p>>,
}

impl<'p> Instrumented<'p> {
    /// The instruments of one thread.
    pub(crate) fn instruments<'s>(&'s self, launch: &'s Launch<'s>) -> Instruments<'s> {
        let values = launch.entry.values.len();
        Instruments {
            sanitizer: self.checks.as_ref().map(|checks| Sanitizer::new(checks, values, launch.memory)),
            schedule: launch.options.schedule.map(Schedule::new),
            watcher: self.watch.as_ref().map(|watch| Watcher::new(watch, launch.entry)),
        }
    }
}

impl Strategy for Instrumented<'_> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn traces(&self) -> bool {
        self.watch.as_ref().is_some_and(watch::Plan::reports)
    }

    fn costs(&self) -> Option<Vec<Cost>> {
        self.watch.as_ref().filter(|watch| watch.counts()).map(watch::Plan::costs)
    }

    fn recorded(&self) -> Option<Vec<Recorded>> {
        self.watch.as_ref().filter(|watch| watch.records()).map(watch::Plan::recorded)
    }

    fn worker<'s>(&'s self, launch: &'s Launch<'s>) -> Box<dyn Worker + 's> {
        Box::new(InstrumentedWorker { launch, interpreter: launch.interpreter(&self.plan, self.instruments(launch)) })
    }
}

struct InstrumentedWorker<'a> {
    launch: &'a Launch<'a>,
    interpreter: Interpreter<'a, Instruments<'a>>,
}

impl Worker for InstrumentedWorker<'_> {
    fn run(&mut self, blocks: Blocks) -> u64 {
        self.launch.run_each(&mut self.interpreter, blocks)
    }

    fn continues(&mut self) -> bool {
        self.interpreter.progress.end()
    }
}
