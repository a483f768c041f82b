//! Runs small tile blocks as a batch if their values form progressions, and otherwise one after another.

use crate::exec::block_scheduler::Blocks;
use crate::exec::instrumentation::Uninstrumented;
use crate::exec::interpreter::Interpreter;
use crate::exec::plan::Plan;
use crate::exec::strategy::launch::{Launch, Strategy, Worker};
use crate::optimize::batch::Batch;

/// Runs an optimized plan in batches.
pub(crate) struct Batched {
    pub(crate) plan: Plan,
    pub(crate) batch: Batch,
}

impl Strategy for Batched {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn batch(&self) -> Option<u64> {
        Some(self.batch.blocks)
    }

    fn worker<'s>(&'s self, launch: &'s Launch<'s>) -> Box<dyn Worker + 's> {
        let interpreter = launch.interpreter(&self.plan, Uninstrumented);
        Box::new(BatchedWorker { launch, batch: &self.batch, interpreter })
    }
}

struct BatchedWorker<'a> {
    launch: &'a Launch<'a>,
    batch: &'a Batch,
    interpreter: Interpreter<'a, Uninstrumented>,
}

impl Worker for BatchedWorker<'_> {
    fn run(&mut self, blocks: Blocks) -> u64 {
        let Some(first) = blocks.clone().next() else { return 0 };
        let count = blocks.size_hint().0 as u64;
        let (ended, _) = self.batch.run(&mut self.interpreter, None, first, count, &self.launch.arguments);
        ended + self.launch.run_each(&mut self.interpreter, blocks.skip(ended as usize))
    }

    fn continues(&mut self) -> bool {
        self.interpreter.progress.end()
    }
}
