//! Runs on the CPU engine: jobs for the CPU, and reference runs for other targets.

use super::compare::{self, Compared, Products};
use super::debugger::Debugger;
use super::event_sink::EventSink;
use super::outside;
use super::raw_report::RawReport;
use super::requests::Requests;
use super::run::JobRun;
use tile_analysis::ir::OpId;
use tile_engine::{Memory, Observer};
use tile_launch::{LaunchError, Value};
use tile_runner::{Executed, PlacedAddress, Stepper, forget_addresses};

impl JobRun<'_> {
    /// Runs the job on the CPU engine. A debugger can run it several times.
    pub(super) fn on_cpu(&self, before: &[(String, Value)], requests: &Requests, events: &EventSink<'_>) -> RawReport {
        let mut debugger = self.job.debug.as_ref().map(|debug| Debugger::new(self, debug, events, requests));
        let stepper = debugger.as_mut().map(|debugger| debugger as &mut (dyn Stepper + Send));
        self.execute(before, stepper, events).into()
    }

    /// Compares the results of another target with those of the CPU engine.
    pub(super) fn compare(
        &self,
        before: &[(String, Value)],
        after: &[(String, Value)],
        addresses: &[PlacedAddress],
    ) -> Result<Vec<Compared>, Box<LaunchError>> {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        let arguments = &placement.arguments;
        let timer = self.timer();
        let mut options = self.plain_run(&timer);
        options.watch.profile = Products::are_in(self.entry);
        let mut runs = Runs::default();
        let ended = tile_engine::run(self.module, self.entry, arguments, &mut memory, &options, &mut runs);
        if let Err(finding) = ended {
            let found = self.found(*finding, &timer);
            let message =
                format!("nothing to compare with, because the run on the CPU engine failed: {}", found.message);
            let range = found.shown_range();
            return Err(Box::new(LaunchError { range: range.start as usize..range.end as usize, message, help: None }));
        }
        let mut expected = placement.after(before, &memory);
        let mut after = after.to_vec();
        forget_addresses(&placement.addresses, &mut expected);
        forget_addresses(addresses, &mut after);
        let blocks = tile_engine::blocks(options.grid);
        let products = Products::of(self.entry, |op| runs.0.get(op.0 as usize).map_or(0, |all| all.div_ceil(blocks)));
        let mut compared = compare::all(&self.launch.expects, products.as_ref(), &expected, &after);
        outside::note(&mut compared, before, &expected, &after, || self.tensor_views(before));
        Ok(compared)
    }

    /// Determines the tensor views of the kernel in another run on the CPU engine.
    fn tensor_views(&self, before: &[(String, Value)]) -> Option<outside::Views> {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        memory.record_views();
        let timer = self.timer();
        let options = self.plain_run(&timer);
        tile_engine::run(self.module, self.entry, &placement.arguments, &mut memory, &options, &mut Vec::new()).ok()?;
        Some(outside::Views { addresses: placement.starts(&memory), views: memory.recorded_views() })
    }
}

/// The number of runs of each op, in all tile blocks together.
#[derive(Default)]
struct Runs(Vec<u64>);

impl Observer for Runs {
    fn printed(&mut self, _: OpId, _: [u32; 3], _: &[u8]) {}

    fn profiled(&mut self, costs: &[tile_engine::Cost]) {
        self.0 = costs.iter().map(|cost| cost.runs).collect();
    }
}

impl From<Executed> for RawReport {
    fn from(executed: Executed) -> RawReport {
        let Executed { after, addresses, printed, found, profile, values, blocks, seconds } = executed;
        let waited = seconds;
        RawReport { after, addresses, printed, found, profile, values, blocks, seconds, waited, ..RawReport::default() }
    }
}
