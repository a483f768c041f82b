//! Runs a launch on the CPU engine, and collects what is observed.

use crate::buffers::Buffers;
use crate::contents::{Contents, Moment, Padding, Viewed};
use crate::events::{Event, Events};
use crate::placement::PlacedAddress;
use crate::printed_text::PrintedText;
use crate::profile::OpCost;
use crate::recorded::RecordedValue;
use crate::report::ReportedFinding;
use crate::run::Run;
use crate::stepper::{Arguments, Stepper};
use crate::timer::Timer;
use crate::trace::Traced;
use std::ops::Range;
use tile_analysis::ir::{self, OpId};
use tile_clock::Instant;
use tile_dialect::Element;
use tile_engine::findings::Finding;
use tile_engine::{Execution, Memory, Observer};
use tile_launch::Value;

/// The result of a run before the expectations are checked.
pub struct Executed {
    /// The arguments after the run.
    pub after: Vec<(String, Value)>,
    /// The addresses in buffers before the run.
    pub addresses: Vec<PlacedAddress>,
    /// The printed text, as far as it is kept.
    pub printed: Vec<u8>,
    /// The findings that ended the run.
    pub found: Vec<ReportedFinding>,
    /// The cost of each op, if requested.
    pub profile: Vec<OpCost>,
    /// What each value held, if requested.
    pub values: Vec<RecordedValue>,
    /// The number of tile blocks that ran.
    pub blocks: u64,
    /// The time that the kernel ran, in seconds.
    pub seconds: f64,
}

impl Run<'_> {
    /// Runs the launch on the CPU engine. A stepper can have it run several times.
    pub fn execute<'s>(
        &self,
        before: &[(String, Value)],
        mut stepper: Option<&mut (dyn Stepper + Send + 's)>,
        events: &dyn Events,
    ) -> Executed {
        // The text that earlier runs have printed.
        let mut printed = 0;
        loop {
            let executed = self.execute_once(before, stepper.as_deref_mut(), printed, events);
            if !stepper.as_mut().is_some_and(|stepper| stepper.restart()) {
                return executed;
            }
            printed = printed.max(executed.printed.len());
        }
    }

    /// `reported`: the number of printed bytes that were already reported.
    fn execute_once<'s>(
        &self,
        before: &[(String, Value)],
        stepper: Option<&mut (dyn Stepper + Send + 's)>,
        reported: usize,
        events: &dyn Events,
    ) -> Executed {
        let mut memory = Memory::new();
        let placement = self.place_values(before, &mut memory);
        let arguments = &placement.arguments;
        let timer = self.timer();
        let options = tile_engine::Options {
            sanitize: self.settings.sanitize,
            schedule: self.settings.schedule,
            watch: self.watch(stepper.is_some()),
            ..self.plain_run(&timer)
        };
        let placed = Arguments { before, placement: &placement };
        let buffers = Buffers::of(before, &placement, &memory);
        let (text, profile, values) = (PrintedText::new(self.text.len()), Vec::new(), Vec::new());
        let (viewed_op, padding) = (self.viewed_op(), Padding::default());
        let mut listener = Listener {
            run: self,
            events,
            text,
            reported,
            profile,
            values,
            stepper,
            placed,
            buffers,
            viewed_op,
            padding,
        };
        let started = Instant::now();
        let mut ended = Ok(tile_engine::Statistics::default());
        events.during(&options, &mut || {
            ended = tile_engine::run(self.module, self.entry, arguments, &mut memory, &options, &mut listener);
        });
        let seconds = started.elapsed().as_secs_f64();
        let (blocks, found) = match ended {
            Ok(statistics) => (statistics.blocks, Vec::new()),
            Err(finding) => (0, vec![self.found(*finding, &timer)]),
        };
        let (printed, profile, values) = (listener.text.into_kept(), listener.profile, listener.values);
        let (after, addresses) = (placement.after(before, &memory), placement.addresses);
        Executed { after, addresses, printed, found, profile, values, blocks, seconds }
    }

    /// Options of a run without extra checks.
    pub fn plain_run(&self, timer: &Timer) -> tile_engine::Options {
        let (free, allowed) = (self.system.free_memory(), self.settings.max_bytes);
        tile_engine::Options {
            grid: self.launch.grid,
            cancel: timer.cancel.clone(),
            // Fewer blocks run concurrently if there is not enough memory for their tiles.
            max_bytes: free.map_or(allowed, |free| free.min(allowed)),
            ..tile_engine::Options::default()
        }
    }

    /// The settings for observing the run.
    fn watch(&self, steps: bool) -> tile_engine::Watch {
        let watching = &self.settings.watching;
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
            steps,
        }
    }

    /// The range of a value's definition in the program.
    fn definition(&self, value: ir::Value) -> Range<u32> {
        let range = self.spans.definitions.get(value.0 as usize).unwrap_or(&self.spans.name);
        range.start + self.start..range.end + self.start
    }

    /// The op that defines the viewed value.
    fn viewed_op(&self) -> Option<OpId> {
        let Some(Viewed::Value(name)) = &self.settings.watching.view else { return None };
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

/// Forwards events as they happen, and collects data for the report.
struct Listener<'a, 's> {
    run: &'a Run<'a>,
    events: &'a dyn Events,
    text: PrintedText,
    /// How much of it was already reported.
    reported: usize,
    profile: Vec<OpCost>,
    values: Vec<RecordedValue>,
    stepper: Option<&'a mut (dyn Stepper + Send + 's)>,
    placed: Arguments<'a>,
    buffers: Buffers,
    /// The op that defines the viewed value.
    viewed_op: Option<OpId>,
    padding: Padding,
}

impl Observer for Listener<'_, '_> {
    fn printed(&mut self, op: OpId, block: [u32; 3], text: &[u8]) {
        self.text.push(text);
        if self.text.size() <= self.reported {
            return;
        }
        self.events.send(Event::Printed { op: self.run.place(Some(op)), block, text: text.to_vec() });
    }

    fn traced(&mut self, traced: &tile_engine::Traced) {
        let view = self.run.settings.watching.view.as_ref();
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
        if self.run.settings.watching.accesses.contains(&accessed.op.0) {
            self.buffers.accessed(accessed).for_each(|found| self.events.send(Event::Accessed(found)));
        }
    }

    fn before(&mut self, at: &tile_engine::At<'_>) -> bool {
        self.stepper.as_mut().is_none_or(|stepper| stepper.before(at, self.placed))
    }

    fn failed(&mut self, at: &tile_engine::At<'_>, finding: &Finding) {
        self.stepper.iter_mut().for_each(|stepper| stepper.failed(at, self.placed, finding));
    }

    fn profiled(&mut self, costs: &[tile_engine::Cost]) {
        self.profile = self.run.profile(costs);
    }

    fn recorded(&mut self, recorded: &[tile_engine::Recorded]) {
        self.values = recorded.iter().map(|recorded| self.run.recorded(recorded)).collect();
    }
}
