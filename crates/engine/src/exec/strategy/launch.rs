//! The common interface of all strategies.

use crate::exec::block_scheduler::{BlockScheduler, Blocks, Progress, block};
use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::Interpreter;
use crate::exec::output::{Output, Printer};
use crate::exec::plan::Plan;
use crate::memory::Memory;
use crate::observer::{Cost, Recorded};
use crate::ops::kernel::Context;
use crate::options::Options;
use crate::values::value::Value;
use tile_analysis::ir::{Body, OpId};

/// A running launch.
pub(crate) struct Launch<'a> {
    pub(crate) entry: &'a Body,
    /// One value for each parameter.
    pub(crate) arguments: Vec<Value>,
    pub(crate) memory: &'a Memory,
    pub(crate) options: &'a Options,
    pub(crate) scheduler: &'a BlockScheduler<'a>,
    pub(crate) output: &'a Output<'a>,
}

/// A strategy for running the tile blocks of a launch, planned for its entry.
pub(crate) trait Strategy: Sync {
    /// The plan for running blocks one at a time.
    fn plan(&self) -> &Plan;

    /// How many tile blocks can run as a batch, if any.
    fn batch(&self) -> Option<u64> {
        None
    }

    /// Whether values are reported as they are computed.
    fn traces(&self) -> bool {
        false
    }

    /// The cost of each op, by its number, if it was measured.
    fn costs(&self) -> Option<Vec<Cost>> {
        None
    }

    /// What each value held, if it was recorded.
    fn recorded(&self) -> Option<Vec<Recorded>> {
        None
    }

    /// The part of a strategy that runs blocks on one thread.
    fn worker<'s>(&'s self, launch: &'s Launch<'s>) -> Box<dyn Worker + 's>;
}

/// Runs tile blocks on one thread.
pub(crate) trait Worker {
    /// Runs blocks and returns how many have ended. Findings go to the scheduler.
    fn run(&mut self, blocks: Blocks) -> u64;

    /// Whether this thread takes further blocks; false if it was replaced.
    fn continues(&mut self) -> bool;
}

impl<'a> Launch<'a> {
    /// An interpreter before its first block.
    pub(crate) fn interpreter<I: Instrumentation<'a>>(
        &'a self,
        plan: &'a Plan,
        instrumentation: I,
    ) -> Interpreter<'a, I> {
        let context = Context {
            memory: self.memory.share(),
            printer: Printer { output: self.output, number: 0 },
            block: [0; 3],
            grid: self.options.grid,
            op: OpId(0),
            first_replica: self.options.schedule.unwrap_or(0),
        };
        Interpreter::new(plan, self.entry, context, Progress::new(self.scheduler), instrumentation)
    }

    /// Runs blocks one after another and returns how many have ended.
    pub(crate) fn run_each<I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        blocks: impl Iterator<Item = u64>,
    ) -> u64 {
        let mut ended = 0;
        for number in blocks {
            match interpreter.run(number, block(number, self.options.grid), &self.arguments) {
                Ok(()) => {
                    self.output.ended(number);
                    ended += 1;
                }
                // The buffered output of later blocks is dropped.
                Err(finding) => self.scheduler.stop(number, finding),
            }
        }
        ended
    }
}
