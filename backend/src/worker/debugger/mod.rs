//! The worker side of debugging: stops the run and executes commands.

mod breakpoints;
mod contents;
mod data_breakpoints;
mod inspect;

pub(super) use inspect::Arguments;

use super::event_sink::EventSink;
use super::protocol::{Event, Request};
use super::requests::Requests;
use super::run::JobRun;
use crate::debug::{Command, Debugging, Nesting, Pace, Stopped, ValuesInScope, Why};
use breakpoints::Breakpoints;
use data_breakpoints::{DataBreakpoints, Observed};
use inspect::Inspector;
use std::sync::mpsc::TryRecvError;
use tile_analysis::ir::OpId;
use tile_analysis::types::Type;
use tile_dialect::AttrName;
use tile_engine::At;
use tile_engine::findings::Finding;

/// The debugger of a run.
pub(super) struct Debugger<'a, 't> {
    run: &'a JobRun<'a>,
    nesting: Nesting,
    events: &'a EventSink<'t>,
    requests: &'a Requests,
    /// The tile block in which it stops, if not all.
    block: Option<[u32; 3]>,
    breakpoints: Breakpoints,
    data_breakpoints: DataBreakpoints,
    /// The last op that began to run.
    previous: Option<OpId>,
    /// How far the run continues, and the nesting depth at which that was requested.
    pace: (Pace, usize),
    /// Why it stops at the next op, if it does.
    next: Option<Why>,
}

impl<'a, 't> Debugger<'a, 't> {
    pub(super) fn new(
        run: &'a JobRun<'a>,
        debugging: &Debugging,
        events: &'a EventSink<'t>,
        requests: &'a Requests,
    ) -> Debugger<'a, 't> {
        let next = debugging.on_entry.then_some(Why::Entry);
        let mut breakpoints = Breakpoints::default();
        breakpoints.replace(debugging.breakpoints.clone());
        let mut data_breakpoints = DataBreakpoints::default();
        data_breakpoints.replace(debugging.data_breakpoints.clone());
        let (nesting, block, pace) = (Nesting::of(run.entry), run.job.watching.block, (Pace::Run, 0));
        Debugger { run, nesting, events, requests, block, breakpoints, data_breakpoints, previous: None, pace, next }
    }

    /// Called before each op.
    pub(super) fn before(&mut self, at: &At<'_>, arguments: Arguments<'_>) {
        loop {
            match self.requests.waiting() {
                Ok(request) => _ = self.execute(request, at, arguments),
                Err(TryRecvError::Empty) => break,
                // The client is gone, and this process ends.
                Err(TryRecvError::Disconnected) => return,
            }
        }
        let changed = self.changed(at, arguments);
        if !self.stops_in(at.block) {
            return;
        }
        let is_hit = self.hits_breakpoint(at, arguments);
        if let Some(why) = changed.or_else(|| self.why(at.op, is_hit)) {
            self.stop(at, arguments, why);
        }
    }

    /// Called when an op has failed.
    pub(super) fn failed(&mut self, at: &At<'_>, arguments: Arguments<'_>, finding: &Finding) {
        let (code, message) = (finding.page.code.to_string(), finding.message.clone());
        self.stop(at, arguments, Why::Failed { code, message });
    }

    /// Whether the previous op has changed an element with a data breakpoint.
    fn changed(&mut self, at: &At<'_>, arguments: Arguments<'_>) -> Option<Why> {
        self.locate(at, arguments);
        let accesses = |op: &OpId| self.run.entry.op(*op).op.row().attr(AttrName::MemoryOrderingSemantics).is_some();
        let previous = self.previous.replace(at.op).filter(accesses).filter(|_| !self.data_breakpoints.is_empty())?;
        let mut data_breakpoints = std::mem::take(&mut self.data_breakpoints);
        let stops = self.stops_in(at.block);
        let change = self.inspect(at, arguments, |inspector| data_breakpoints.changed(previous, inspector, stops));
        self.data_breakpoints = data_breakpoints;
        match change? {
            Ok(change) => Some(Why::Changed(change)),
            Err(error) => {
                self.log(at.op, error);
                Some(Why::Stop)
            }
        }
    }

    /// Finds the elements of new data breakpoints.
    fn locate(&mut self, at: &At<'_>, arguments: Arguments<'_>) {
        if self.data_breakpoints.are_located() {
            return;
        }
        let mut data_breakpoints = std::mem::take(&mut self.data_breakpoints);
        let errors = self.inspect(at, arguments, |inspector| data_breakpoints.locate(inspector));
        self.data_breakpoints = data_breakpoints;
        errors.into_iter().for_each(|error| self.log(at.op, error));
    }

    /// Whether the run stops in a tile block.
    fn stops_in(&self, block: [u32; 3]) -> bool {
        self.block.is_none_or(|only| only == block)
    }

    fn log(&self, op: OpId, text: String) {
        self.events.send(Event::Logged { op: op.0, text });
    }

    /// Writes the messages of the op's breakpoints. Returns whether one of them stops the run.
    fn hits_breakpoint(&mut self, at: &At<'_>, arguments: Arguments<'_>) -> bool {
        if !self.breakpoints.are_at(at.op) {
            return false;
        }
        let mut breakpoints = std::mem::take(&mut self.breakpoints);
        let effect = self.inspect(at, arguments, |inspector| breakpoints.hit(inspector));
        self.breakpoints = breakpoints;
        effect.messages.into_iter().for_each(|text| self.log(at.op, text));
        effect.stops
    }

    /// The reason to stop before an op, if any.
    fn why(&mut self, op: OpId, is_hit: bool) -> Option<Why> {
        if let Some(why) = self.next.take() {
            return Some(why);
        }
        if is_hit {
            return Some(Why::Stop);
        }
        let (pace, from) = self.pace;
        let is_reached = match pace {
            Pace::Run => false,
            Pace::Into => true,
            Pace::Over => self.nesting.depth(op) <= from,
            Pace::Out => self.nesting.depth(op) < from,
        };
        is_reached.then_some(Why::Step)
    }

    /// Reports that the run has stopped, and executes commands until the run continues.
    fn stop(&mut self, at: &At<'_>, arguments: Arguments<'_>, why: Why) {
        let parameters = self.run.entry.params.len() as u32;
        let computed = self.nesting.visible(self.run.entry, at.op).into_iter().filter(|value| value.0 >= parameters);
        let values = self.inspect(at, arguments, |inspector| {
            // Tokens have no content to show.
            let shown = computed.filter(|&value| self.run.entry.ty(value) != Type::token());
            shown.map(|value| (value.0, inspector.value(value))).collect()
        });
        let (op, block, iterations) = (at.op.0, at.block, at.iterations.to_vec());
        self.events.send(Event::Stopped(Box::new(Stopped { why, op, block, iterations, values })));
        self.next = None;
        while let Some(request) = self.requests.next() {
            if self.execute(request, at, arguments) {
                return;
            }
        }
    }

    /// Executes a command. Returns whether the run continues.
    fn execute(&mut self, request: Request, at: &At<'_>, arguments: Arguments<'_>) -> bool {
        // Other requests are ignored while a job runs.
        let Request::Debug(command) = request else { return false };
        match command {
            Command::Breakpoints(breakpoints) => self.breakpoints.replace(breakpoints),
            Command::DataBreakpoints(breakpoints) => {
                self.data_breakpoints.replace(breakpoints);
                self.locate(at, arguments);
            }
            Command::Observe(formula) => {
                let observed =
                    self.inspect(at, arguments, |inspector| Observed::of(&inspector.scope.parse(&formula)?, inspector));
                self.events.send(Event::Inspected(observed.map(|_| Vec::new())));
            }
            Command::Pause => self.next = Some(Why::Pause),
            Command::Evaluate(formula) => {
                let item = self.inspect(at, arguments, |inspector| inspector.evaluate(&formula));
                self.events.send(Event::Inspected(item.map(|item| vec![item])));
            }
            Command::Children { of, row, range } => {
                let items = self.inspect(at, arguments, |inspector| inspector.children(&of, &row, range));
                self.events.send(Event::Inspected(items));
            }
            Command::Go(pace) => {
                self.pace = (pace, self.nesting.depth(at.op));
                return true;
            }
        }
        false
    }

    /// Calls `f` with the values at an op.
    fn inspect<T>(&self, at: &At<'_>, arguments: Arguments<'_>, f: impl FnOnce(&Inspector<'_>) -> T) -> T {
        let names = self.run.names();
        let scope = ValuesInScope::at(at.op, self.run.entry, &self.nesting, &names);
        f(&Inspector { run: self.run, scope: &scope, at, arguments })
    }
}
