//! The worker side of debugging: stops the run and executes commands.

mod breakpoints;
mod contents;
mod data_breakpoints;
mod history;
mod inspect;

use super::event_sink::EventSink;
use super::protocol::{Event, Request};
use super::requests::Requests;
use super::run::JobRun;
use crate::debug::{Command, Debugging, Nesting, Pace, Stopped, ValuesInScope, Why};
use breakpoints::Breakpoints;
use data_breakpoints::DataBreakpoints;
use history::{Goal, History};
use inspect::Inspector;
use std::sync::mpsc::TryRecvError;
use tile_analysis::ir::OpId;
use tile_analysis::types::Type;
use tile_dialect::AttrName;
use tile_engine::At;
use tile_engine::findings::Finding;
use tile_runner::{Arguments, Stepper};

/// The debugger of a run.
pub(super) struct Debugger<'a, 't> {
    program: Program<'a>,
    events: &'a EventSink<'t>,
    requests: &'a Requests,
    /// The tile block in which it stops, if not all.
    block: Option<[u32; 3]>,
    breakpoints: Breakpoints,
    data_breakpoints: DataBreakpoints,
    history: History,
    /// The last op that began to run.
    previous: Option<OpId>,
    /// How far the run continues, and the nesting depth at which that was requested.
    pace: (Pace, usize),
    /// The op to run to without stopping before, if any.
    goal: Option<Goal>,
    /// Whether the launch has to run again, because the goal is an earlier op.
    restarts: bool,
    /// Why it stops at the next op, if it does.
    next: Option<Why>,
}

/// The debugged entry.
struct Program<'a> {
    run: &'a JobRun<'a>,
    nesting: Nesting,
}

impl Program<'_> {
    /// Calls `f` with the values at an op.
    fn inspect<T>(&self, at: &At<'_>, arguments: Arguments<'_>, f: impl FnOnce(&Inspector<'_>) -> T) -> T {
        let names = self.run.names();
        let scope = ValuesInScope::at(at.op, self.run.entry, &self.nesting, &names);
        f(&Inspector { run: self.run, scope: &scope, at, arguments })
    }
}

impl<'a, 't> Debugger<'a, 't> {
    pub(super) fn new(
        run: &'a JobRun<'a>,
        debugging: &Debugging,
        events: &'a EventSink<'t>,
        requests: &'a Requests,
    ) -> Debugger<'a, 't> {
        let mut breakpoints = Breakpoints::default();
        breakpoints.replace(debugging.breakpoints.clone());
        let mut data_breakpoints = DataBreakpoints::default();
        data_breakpoints.replace(debugging.data_breakpoints.clone());
        Debugger {
            program: Program { run, nesting: Nesting::of(run.entry) },
            events,
            requests,
            block: run.job.watching.block,
            breakpoints,
            data_breakpoints,
            history: History::default(),
            previous: None,
            pace: (Pace::Run, 0),
            goal: None,
            restarts: false,
            next: debugging.on_entry.then_some(Why::Entry),
        }
    }
}

impl Stepper for Debugger<'_, '_> {
    fn restart(&mut self) -> bool {
        self.breakpoints.restart();
        self.data_breakpoints.restart();
        self.history.restart();
        self.previous = None;
        std::mem::take(&mut self.restarts)
    }

    fn before(&mut self, at: &At<'_>, arguments: Arguments<'_>) -> bool {
        loop {
            match self.requests.waiting() {
                Ok(request) => _ = self.execute(request, at, arguments),
                Err(TryRecvError::Empty) => break,
                // The client is gone, and this process ends.
                Err(TryRecvError::Disconnected) => return true,
            }
        }
        self.history.advance();
        let is_new = self.history.is_new();
        let changed = self.changed(at, arguments);
        if self.stops_in(at.block) {
            self.history.visit(self.program.nesting.depth(at.op));
            let is_hit = self.hits_breakpoint(at, arguments, is_new);
            let hit = changed.or(is_hit.then_some(Why::Stop));
            if let Some(why) = self.why(at, hit) {
                self.stop(at, arguments, why);
            }
        }
        !self.restarts
    }

    fn failed(&mut self, at: &At<'_>, arguments: Arguments<'_>, finding: &Finding) {
        let (code, message) = (finding.page.code.to_string(), finding.message.clone());
        self.stop(at, arguments, Why::Failed { code, message });
    }
}

impl Debugger<'_, '_> {
    /// Whether the previous op has changed an element with a data breakpoint.
    fn changed(&mut self, at: &At<'_>, arguments: Arguments<'_>) -> Option<Why> {
        self.locate(at, arguments);
        let entry = self.program.run.entry;
        let accesses = |op: &OpId| entry.op(*op).op.row().attr(AttrName::MemoryOrderingSemantics).is_some();
        let previous = self.previous.replace(at.op).filter(accesses).filter(|_| !self.data_breakpoints.is_empty())?;
        let stops = self.stops_in(at.block);
        let compare = |inspector: &Inspector<'_>| self.data_breakpoints.changed(previous, inspector, stops);
        match self.program.inspect(at, arguments, compare)? {
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
        let errors = self.program.inspect(at, arguments, |inspector| self.data_breakpoints.locate(inspector));
        errors.into_iter().for_each(|error| self.log(at.op, error));
    }

    /// Whether the run stops in a tile block.
    fn stops_in(&self, block: [u32; 3]) -> bool {
        self.block.is_none_or(|only| only == block)
    }

    fn log(&self, op: OpId, text: String) {
        self.events.send(Event::Logged { op: op.0, text });
    }

    /// Writes the messages of the op's breakpoints, unless they were written before. Returns whether one of them stops
    /// the run.
    fn hits_breakpoint(&mut self, at: &At<'_>, arguments: Arguments<'_>, is_new: bool) -> bool {
        if !self.breakpoints.are_at(at.op) {
            return false;
        }
        let effect = self.program.inspect(at, arguments, |inspector| self.breakpoints.hit(inspector));
        if is_new {
            effect.messages.into_iter().for_each(|text| self.log(at.op, text));
        }
        effect.stops
    }

    /// The reason to stop before an op, if any. `hit`: that of its breakpoints.
    fn why(&mut self, at: &At<'_>, hit: Option<Why>) -> Option<Why> {
        if let Some(why) = self.next.take() {
            return Some(why);
        }
        if let Some(goal) = self.goal.take() {
            return self.pursue(goal, at, hit);
        }
        let (pace, from) = self.pace;
        let depth = self.program.nesting.depth(at.op);
        let is_reached = match pace {
            Pace::Into => true,
            Pace::Over => depth <= from,
            Pace::Out => depth < from,
            Pace::Run | Pace::Block(_) | Pace::Back | Pace::BackToBreakpoint => false,
        };
        hit.or(is_reached.then_some(Why::Step))
    }

    /// The reason to stop at a goal, if it is reached.
    fn pursue(&mut self, goal: Goal, at: &At<'_>, hit: Option<Why>) -> Option<Why> {
        let now = self.history.now;
        match goal {
            Goal::Op(number, why) if number == now => return Some(why),
            Goal::Block(block) if block == at.block => return Some(Why::Block),
            Goal::LastStop { before, found } if before == now => {
                let (number, why) = found.unwrap_or((self.history.first(), Why::Entry));
                self.goal = Some(Goal::Op(number, why));
                self.restarts = true;
            }
            Goal::LastStop { before, found } => {
                let found = hit.map(|why| (now, why)).or(found);
                self.goal = Some(Goal::LastStop { before, found });
            }
            goal => self.goal = Some(goal),
        }
        None
    }

    /// Reports that the run has stopped, and executes commands until the run continues.
    fn stop(&mut self, at: &At<'_>, arguments: Arguments<'_>, why: Why) {
        (self.next, self.goal) = (None, None);
        self.report(at, arguments, why);
        while let Some(request) = self.requests.next() {
            if self.execute(request, at, arguments) {
                return;
            }
        }
    }

    fn report(&self, at: &At<'_>, arguments: Arguments<'_>, why: Why) {
        let Program { run, nesting } = &self.program;
        let parameters = run.entry.params.len() as u32;
        let computed = nesting.visible(run.entry, at.op).into_iter().filter(|value| value.0 >= parameters);
        let values = self.program.inspect(at, arguments, |inspector| {
            // Tokens have no content to show.
            let shown = computed.filter(|&value| run.entry.ty(value) != Type::token());
            shown.map(|value| (value.0, inspector.value(value))).collect()
        });
        let (op, block, iterations) = (at.op.0, at.block, at.iterations.to_vec());
        self.events.send(Event::Stopped(Box::new(Stopped { why, op, block, iterations, values })));
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
            Command::Pause => self.next = Some(Why::Pause),
            Command::Ask(number, question) => {
                let answer = self.program.inspect(at, arguments, |inspector| inspector.answer(question));
                self.events.send(Event::Answer(number, answer));
            }
            Command::Go(pace) => {
                self.pace = (pace, self.program.nesting.depth(at.op));
                self.set_goal(pace, at.block);
                return true;
            }
        }
        false
    }

    fn set_goal(&mut self, pace: Pace, now: [u32; 3]) {
        let History { now: number, previous, .. } = self.history;
        let goal = match pace {
            Pace::Run | Pace::Into | Pace::Over | Pace::Out => return,
            Pace::Block(block) => {
                self.block = self.block.and(Some(block));
                Goal::Block(block)
            }
            Pace::Back => previous.map_or(Goal::Op(number, Why::Entry), |previous| Goal::Op(previous, Why::Step)),
            Pace::BackToBreakpoint => Goal::LastStop { before: number, found: None },
        };
        let order = |[x, y, z]: [u32; 3]| [z, y, x];
        self.restarts = !matches!(goal, Goal::Block(block) if order(block) > order(now));
        self.goal = Some(goal);
    }
}
