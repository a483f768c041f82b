//! Runs small tile blocks as a batch in sanitized runs: the optimized plan computes, and the sanitizer first checks the
//! accesses of each block. Vector addition in tiles of 1024 takes 5 times as long without it (`TILE_SANITIZE=1`,
//! `benches/engine.rs`).

use crate::exec::block_scheduler::Blocks;
use crate::exec::instrumentation::{Instrumentation, Instruments, Uninstrumented};
use crate::exec::interpreter::Interpreter;
use crate::exec::plan::Plan;
use crate::exec::strategy::batched::Batched;
use crate::exec::strategy::instrumented::Instrumented;
use crate::exec::strategy::launch::{Launch, Strategy, Worker};
use crate::optimize::batch::{Batch, SanitizedAccesses};

/// Runs batches if the sanitizer can check them as a whole, and instrumented blocks otherwise.
pub(crate) struct SanitizedBatches<'p> {
    pub(crate) instrumented: Instrumented<'p>,
    pub(crate) batched: Batched,
}

impl Strategy for SanitizedBatches<'_> {
    fn plan(&self) -> &Plan {
        &self.instrumented.plan
    }

    fn batch(&self) -> Option<u64> {
        self.batched.batch()
    }

    fn worker<'s>(&'s self, launch: &'s Launch<'s>) -> Box<dyn Worker + 's> {
        let instruments = self.instrumented.instruments(launch);
        Box::new(SanitizedBatchesWorker {
            launch,
            batch: &self.batched.batch,
            together: launch.interpreter(&self.batched.plan, Uninstrumented),
            one_by_one: launch.interpreter(&self.instrumented.plan, instruments),
        })
    }
}

struct SanitizedBatchesWorker<'a> {
    launch: &'a Launch<'a>,
    batch: &'a Batch,
    together: Interpreter<'a, Uninstrumented>,
    one_by_one: Interpreter<'a, Instruments<'a>>,
}

impl Worker for SanitizedBatchesWorker<'_> {
    fn run(&mut self, blocks: Blocks) -> u64 {
        let Some(first) = blocks.clone().next() else { return 0 };
        let count = blocks.size_hint().0 as u64;
        let plan = self.one_by_one.plan;
        let accesses =
            self.one_by_one.instrumentation.sanitizer_mut().map(|sanitizer| SanitizedAccesses { sanitizer, plan });
        let (ended, found) = self.batch.run(&mut self.together, accesses, first, count, &self.launch.arguments);
        self.together.progress.end();
        if let Err(finding) = found {
            self.launch.scheduler.stop(first + ended, finding);
            return ended;
        }
        ended + self.launch.run_each(&mut self.one_by_one, blocks.skip(ended as usize))
    }

    fn continues(&mut self) -> bool {
        self.one_by_one.progress.end()
    }
}
