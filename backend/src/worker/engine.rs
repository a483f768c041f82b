//! Runs on the CPU engine: jobs for the CPU, and reference runs for other targets.

use super::buffers::Buffers;
use super::compare::{self, Compared, Products};
use super::contents::{Contents, Moment, Padding, Viewed};
use super::debugger::{Arguments, Debugger};
use super::event_sink::EventSink;
use super::placement::{PlacedAddress, forget_addresses};
use super::printed_text::PrintedText;
use super::profile::OpCost;
use super::protocol::Event;
use super::raw_report::RawReport;
use super::recorded::RecordedValue;
use super::requests::Requests;
use super::run::JobRun;
use super::timer::Timer;
use super::trace::Traced;
use super::{free_memory, outside};
use std::ops::Range;
use std::time::Instant;
use tile_analysis::ir::{self, OpId};
use tile_dialect::Element;
use tile_engine::findings::Finding;
use tile_engine::{Execution, Memory, Observer};
use tile_launch::{LaunchError, Value};

impl JobRun<'_> {
    /// Runs the job on the CPU engine. A debugger can run it several times.
    pub(super) fn on_cpu(&self, before: &[(String, Value)], requests: &Requests, events: &EventSink<'_>) -> RawReport {
        let debug = self.job.watching.debug.as_ref();
        let mut debugger = debug.map(|debug| Debugger::new(self, debug, events, requests));
        // The text that a debugged run has printed.
        let mut printed = 0;
        loop {
            let report = self.once_on_cpu(before, debugger.as_mut(), printed, events);
            if !debugger.as_mut().is_some_and(Debugger::restart) {
                return report;
            }
            printed = printed.max(report.printed.len());
        }
    }

    /// `reported`: the number of printed bytes that were already reported.
    fn once_on_cpu<'t>(
        &self,
        before: &[(String, Value)],
        debugger: Option<&mut Debugger<'_, 't>>,
        reported: usize,
        events: &EventSink<'t>,
    ) -> RawReport {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        let arguments = &placement.arguments;
        let timer = Timer::start(self.job.timeout_ms);
        let options = tile_engine::Options {
            sanitize: self.job.sanitize,
            schedule: self.job.schedule,
            watch: self.watch(),
            ..self.plain_run(&timer)
        };
        let placed = Arguments { before, placement: &placement };
        let buffers = Buffers::of(before, &placement, &memory);
        let (text, profile, values) = (PrintedText::new(self.job.text.len()), Vec::new(), Vec::new());
        let (viewed_op, padding) = (self.viewed_op(), Padding::default());
        let mut listener = Listener {
            run: self,
            events,
            text,
            reported,
            profile,
            values,
            debugger,
            placed,
            buffers,
            viewed_op,
            padding,
        };
        let started = Instant::now();
        let ended = events.with_progress(&options, || {
            tile_engine::run(self.module, self.entry, arguments, &mut memory, &options, &mut listener)
        });
        let seconds = started.elapsed().as_secs_f64();
        let (blocks, found) = match ended {
            Ok(statistics) => (statistics.blocks, Vec::new()),
            Err(finding) => (0, vec![self.found(*finding, &timer)]),
        };
        let (printed, profile, values) = (listener.text.into_kept(), listener.profile, listener.values);
        let (after, addresses) = (placement.after(before, &memory), placement.addresses);
        RawReport {
            after,
            addresses,
            printed,
            found,
            profile,
            values,
            blocks,
            seconds,
            waited: seconds,
            ..RawReport::default()
        }
    }

    /// Options of a run without extra checks.
    pub(super) fn plain_run(&self, timer: &Timer) -> tile_engine::Options {
        tile_engine::Options {
            grid: self.launch.grid,
            cancel: timer.cancel.clone(),
            // Fewer blocks run concurrently if there is not enough memory for their tiles.
            max_bytes: free_memory::available().map_or(self.job.max_bytes, |free| free.min(self.job.max_bytes)),
            ..tile_engine::Options::default()
        }
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
        let timer = Timer::start(self.job.timeout_ms);
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
        let blocks: u64 = options.grid.iter().map(|&extent| u64::from(extent)).product();
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
        let timer = Timer::start(self.job.timeout_ms);
        let options = self.plain_run(&timer);
        tile_engine::run(self.module, self.entry, &placement.arguments, &mut memory, &options, &mut Vec::new()).ok()?;
        Some(outside::Views { addresses: placement.starts(&memory), views: memory.recorded_views() })
    }

    /// The settings for observing the run.
    fn watch(&self) -> tile_engine::Watch {
        let watching = &self.job.watching;
        let names = self.names();
        let viewed = if let Some(Viewed::Value(name)) = &watching.view { Some(name) } else { None };
        let trace = watching.trace.iter().chain(viewed).flat_map(|name| names.values(name)).collect();
        tile_engine::Watch {
            trace,
            whole: watching.whole,
            block: watching.block,
            profile: watching.profile,
            records: watching.values,
            contents: viewed.is_some(),
            accesses: !watching.accesses.is_empty() || viewed.is_some(),
            steps: watching.debug.is_some(),
        }
    }

    /// The range of a value's definition in the program.
    fn definition(&self, value: ir::Value) -> Range<u32> {
        let range = self.spans.definitions.get(value.0 as usize).unwrap_or(&self.spans.name);
        range.start + self.start..range.end + self.start
    }

    /// The op that defines the viewed value.
    fn viewed_op(&self) -> Option<OpId> {
        let Some(Viewed::Value(name)) = &self.job.watching.view else { return None };
        self.entry.defining_op(*self.names().values(name).first()?)
    }

    /// The contents of the viewed value in an execution.
    fn contents(&self, traced: &tile_engine::Traced, padding: &Padding) -> Option<Contents> {
        let bytes = traced.contents.clone()?;
        let tile = self.entry.ty(traced.value).as_tile()?;
        let element = tile.number().unwrap_or(Element::I64);
        let (block, iterations) = (traced.block, traced.iterations.clone());
        Some(Contents {
            moment: Moment::Execution(Execution { block, iterations }),
            element: element.to_string(),
            shape: tile.shape.iter().map(|&extent| extent as u64).collect(),
            padding: padding.of(traced, tile.len()),
            bytes,
        })
    }

    /// Adds the name, type and location to the record of a value.
    fn recorded(&self, recorded: &tile_engine::Recorded) -> RecordedValue {
        let (value, ty) = (recorded.value, self.entry.ty(recorded.value).to_string());
        RecordedValue::new(recorded, self.names().name(value), self.definition(value), ty)
    }

    /// Adds the name, type and location to a traced value.
    fn traced(&self, traced: &tile_engine::Traced) -> Traced {
        Traced {
            name: self.names().name(traced.value),
            range: self.definition(traced.value),
            block: traced.block,
            iterations: traced.iterations.clone(),
            ty: self.entry.ty(traced.value).to_string(),
            shown: traced.shown.clone(),
        }
    }

    /// The cost of each op that has run, most expensive first. Terminators cost nothing and are omitted.
    fn profile(&self, costs: &[tile_engine::Cost]) -> Vec<OpCost> {
        let is_shown = |id: &OpId| !self.entry.op(*id).op.row().is_terminator();
        let ops = (0..).map(OpId).zip(costs).filter(|(id, cost)| cost.runs > 0 && is_shown(id));
        let one = |(id, cost): (OpId, &tile_engine::Cost)| {
            OpCost::new(self.entry.op(id).op.row().name, self.place(Some(id)), cost)
        };
        let mut profile: Vec<OpCost> = ops.map(one).collect();
        profile.sort_by_key(|cost| std::cmp::Reverse(cost.nanoseconds));
        profile
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

/// Forwards events as they happen, and collects data for the report.
struct Listener<'a, 'd, 't> {
    run: &'a JobRun<'a>,
    events: &'a EventSink<'t>,
    text: PrintedText,
    /// How much of it was already reported.
    reported: usize,
    profile: Vec<OpCost>,
    values: Vec<RecordedValue>,
    debugger: Option<&'a mut Debugger<'d, 't>>,
    placed: Arguments<'a>,
    buffers: Buffers,
    /// The op that defines the viewed value.
    viewed_op: Option<OpId>,
    padding: Padding,
}

impl Observer for Listener<'_, '_, '_> {
    fn printed(&mut self, op: OpId, block: [u32; 3], text: &[u8]) {
        self.text.push(text);
        if self.text.size() <= self.reported {
            return;
        }
        self.events.send(Event::Printed { op: self.run.place(Some(op)), block: Some(block), text: text.to_vec() });
    }

    fn traced(&mut self, traced: &tile_engine::Traced) {
        let view = self.run.job.watching.view.as_ref();
        if !matches!(view, Some(Viewed::Value(_))) {
            return self.events.send(Event::Traced(self.run.traced(traced)));
        }
        // A tile in a reduction stands for many and has no contents.
        if let Some(contents) = self.run.contents(traced, &self.padding) {
            self.events.send(Event::Contents(Box::new(contents)));
        }
    }

    fn accessed(&mut self, accessed: &tile_engine::Accessed) {
        if self.viewed_op == Some(accessed.op) {
            self.padding.accessed(accessed);
        }
        if self.run.job.watching.accesses.contains(&accessed.op.0) {
            self.buffers.accessed(accessed).for_each(|found| self.events.send(Event::Accessed(found)));
        }
    }

    fn before(&mut self, at: &tile_engine::At<'_>) -> bool {
        self.debugger.as_mut().is_none_or(|debugger| debugger.before(at, self.placed))
    }

    fn failed(&mut self, at: &tile_engine::At<'_>, finding: &Finding) {
        self.debugger.iter_mut().for_each(|debugger| debugger.failed(at, self.placed, finding));
    }

    fn profiled(&mut self, costs: &[tile_engine::Cost]) {
        self.profile = self.run.profile(costs);
    }

    fn recorded(&mut self, recorded: &[tile_engine::Recorded]) {
        self.values = recorded.iter().map(|recorded| self.run.recorded(recorded)).collect();
    }
}
