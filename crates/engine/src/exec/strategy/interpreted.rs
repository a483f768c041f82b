//! Runs tile blocks one after another, op by op.

use crate::exec::block_scheduler::Blocks;
use crate::exec::instrumentation::Uninstrumented;
use crate::exec::interpreter::Interpreter;
use crate::exec::plan::Plan;
use crate::exec::strategy::launch::{Launch, Strategy, Worker};

/// Runs an optimized plan.
pub(crate) struct Interpreted {
    pub(crate) plan: Plan,
}

impl Strategy for Interpreted {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn worker<'s>(&'s self, launch: &'s Launch<'s>) -> Box<dyn Worker + 's> {
        Box::new(InterpretedWorker { launch, interpreter: launch.interpreter(&self.plan, Uninstrumented) })
    }
}

struct InterpretedWorker<'a> {
    launch: &'a Launch<'a>,
    interpreter: Interpreter<'a, Uninstrumented>,
}

impl Worker for InterpretedWorker<'_> {
    fn run(&mut self, blocks: Blocks) -> u64 {
        self.launch.run_each(&mut self.interpreter, blocks)
    }

    fn continues(&mut self) -> bool {
        self.interpreter.progress.end()
    }
}
