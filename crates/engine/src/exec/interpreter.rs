//! Runs the regions of one tile block.

use crate::exec::block_scheduler::Progress;
use crate::exec::instrumentation::Instrumentation;
use crate::exec::plan::{Action, Exit, ForLoop, FusedSteps, Operand, Plan, Step};
use crate::findings::{Finding, loop_counter_overflow, step_not_positive};
use crate::ops::kernel::{Context, OpResult};
use crate::sanitize::cycle::Cycle;
use crate::values::value::Value;
use tile_analysis::ir::{Body, RegionId};
use tile_analysis::number::decode_int;
use tile_dialect::Element;

use crate::values::tile::Tile;

/// Runs the tile blocks of one thread, one after another.
pub(crate) struct Interpreter<'a, I> {
    pub(crate) plan: &'a Plan,
    pub(crate) body: &'a Body,
    pub(crate) context: Context<'a>,
    pub(crate) progress: Progress<'a>,
    /// The values, by number.
    pub(crate) values: Vec<Value>,
    /// The values passed on at the end of a region.
    handed: Vec<Value>,
    /// The operands of the running kernel; kept to reuse the memory.
    pub(crate) inputs: Vec<Value>,
    /// The results of the running kernel.
    outputs: Vec<Value>,
    /// The instrumentation.
    pub(crate) instrumentation: I,
}

/// A stop of the run while it propagates.
pub(crate) type RunResult<T> = Result<T, Box<Finding>>;

impl<'a, I: Instrumentation<'a>> Interpreter<'a, I> {
    /// Creates an interpreter before its first tile block.
    pub(crate) fn new(
        plan: &'a Plan,
        body: &'a Body,
        context: Context<'a>,
        progress: Progress<'a>,
        instrumentation: I,
    ) -> Interpreter<'a, I> {
        let values = vec![Value::Token; body.values.len()];
        let (handed, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
        Interpreter { plan, body, context, progress, values, handed, inputs, outputs, instrumentation }
    }

    /// Starts the block with this number and these coordinates, unless the run should stop.
    pub(crate) fn begin(&mut self, number: u64, block: [u32; 3]) -> RunResult<()> {
        self.context.block = block;
        self.context.printer.number = number;
        self.progress.begin(number);
        match self.progress.stop() {
            Some(stop) => Err(Box::new(stop.fault().at(None, block))),
            None => Ok(()),
        }
    }

    /// Runs the whole block with this number and these coordinates.
    pub(crate) fn run(&mut self, number: u64, block: [u32; 3], arguments: &[Value]) -> RunResult<()> {
        self.begin(number, block)?;
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.begin(block);
        }
        if let Some(schedule) = self.instrumentation.schedule_mut() {
            schedule.begin(number);
        }
        if let Some(watcher) = self.instrumentation.watcher_mut() {
            watcher.begin(block);
        }
        self.hand(arguments.iter().cloned());
        self.enter(RegionId(0), None)?;
        self.flush()
    }

    /// Runs a region. Its block arguments are the value `first`, if any, followed by those in `self.handed`, where the
    /// region's terminator puts its operands.
    pub(crate) fn enter(&mut self, region: RegionId, first: Option<Value>) -> RunResult<Exit> {
        let args = &self.body.region(region).args;
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.take(args.iter().map(|arg| arg.0 as usize), usize::from(first.is_some()));
        }
        for (arg, value) in args.iter().zip(first.into_iter().chain(self.handed.drain(..))) {
            self.values[arg.0 as usize] = value;
        }
        if let Some(watcher) = self.instrumentation.watcher_mut() {
            watcher.computed(args.iter().map(|arg| arg.0 as usize), &self.values, &self.context);
        }
        let mark = self.context.memory.mark();
        let mut exit = self.steps(region);
        if self.context.memory.mark() > mark && exit.is_ok() {
            exit = self.flush().and(exit);
        }
        self.context.memory.release(mark);
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.release(mark);
        }
        exit
    }

    /// Sets the parameters of the entry, for steps that run without entering its region.
    pub(crate) fn set_parameters(&mut self, arguments: &[Value]) {
        for (parameter, value) in self.body.region(RegionId(0)).args.iter().zip(arguments) {
            self.values[parameter.0 as usize] = value.clone();
        }
    }

    /// Passes values as block arguments to the region that is entered next.
    pub(crate) fn hand(&mut self, values: impl IntoIterator<Item = Value>) {
        self.handed.clear();
        self.handed.extend(values);
    }

    /// The values passed on by a region.
    pub(crate) fn handed(&mut self) -> impl Iterator<Item = Value> + '_ {
        self.handed.drain(..)
    }

    fn steps(&mut self, region: RegionId) -> RunResult<Exit> {
        let plan = self.plan;
        self.progress.ops += plan.regions[region.0 as usize].renaming;
        for step in plan.region(region) {
            self.progress.ops += 1;
            self.flush_before(step)?;
            let exit = if self.instrumentation.watcher().is_some() { self.watched(step)? } else { self.step(step)? };
            if let Some(exit) = exit {
                return Ok(exit);
            }
        }
        // A region without an explicit terminator, such as an empty branch.
        self.hand_operands(&[]);
        Ok(Exit::Yield)
    }

    /// Runs an op. Returns the control flow unless it continues with the next op.
    #[inline(always)]
    pub(crate) fn step(&mut self, step: &'a Step) -> RunResult<Option<Exit>> {
        match &step.action {
            Action::Kernel(_) => self.kernel(step)?,
            Action::Exit(exit) => {
                self.hand_operands(&step.operands);
                return Ok(Some(*exit));
            }
            Action::For(counted) => return self.counted(step, counted),
            Action::Loop(region) => return self.endless(step, *region),
            Action::If(then, other) => return self.branch(step, *then, *other),
            Action::Fold(fold) => {
                self.fold(fold, step)?;
                self.results(step);
            }
            Action::Fused(fused) => self.fused(fused)?,
        }
        Ok(None)
    }

    fn fused(&mut self, fused: &'a FusedSteps) -> RunResult<()> {
        self.progress.ops += fused.steps.len() as u64 - 1;
        match fused.ops.run(&mut self.values, &mut self.inputs, &self.context.memory) {
            Some(()) => Ok(()),
            None => fused.steps.iter().try_for_each(|step| self.kernel(step)),
        }
    }

    fn kernel(&mut self, step: &'a Step) -> RunResult<()> {
        let Action::Kernel(kernel) = &step.action else { return Ok(()) };
        self.inputs.clear();
        for operand in &step.operands {
            if !step.takes_affine {
                self.values[operand.slot].expand();
            }
            let value = fetch(&mut self.values, *operand);
            self.inputs.push(value);
        }
        self.context.op = step.op;
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            let outcome = sanitizer.before(step, kernel, &mut self.inputs, &mut self.context);
            self.check(step, outcome)?;
        }
        if self.defers(step) { Ok(()) } else { self.execute(step) }
    }

    /// Runs the kernel of an op on the values in `self.inputs`.
    pub(crate) fn execute(&mut self, step: &Step) -> RunResult<()> {
        let Action::Kernel(kernel) = &step.action else { return Ok(()) };
        self.outputs.clear();
        self.context.op = step.op;
        let outcome = kernel(&mut self.context, &mut self.inputs, &mut self.outputs);
        self.check(step, outcome)?;
        for (slot, value) in (step.results..).zip(self.outputs.drain(..)) {
            self.values[slot] = value;
        }
        Ok(())
    }

    fn counted(&mut self, step: &Step, counted: &ForLoop) -> RunResult<Option<Exit>> {
        let (bounds, carried) = step.operands.split_at(3);
        self.decide(step, bounds, "counts with an unspecified bound")?;
        let bound = |operand: &Operand| {
            let bits = self.values[operand.slot].tile().bits(0);
            if counted.unsigned { bits.into() } else { signed(counted.element, bits) }
        };
        let (start, end, stride): (i128, i128, i128) = (bound(&bounds[0]), bound(&bounds[1]), bound(&bounds[2]));
        if stride <= 0 {
            return self.check(step, Err(step_not_positive::fault(stride)));
        }
        self.hand_operands(carried);
        let mut at = start;
        while at < end {
            self.tick(step)?;
            match self.enter(counted.region, Some(scalar(counted.element, at).into()))? {
                Exit::Continue | Exit::Yield => {}
                Exit::Break => break,
                Exit::Return => return Ok(Some(Exit::Return)),
            }
            if self.instrumentation.sanitizer().is_some() && at + stride > counted.largest() {
                let fault = loop_counter_overflow::fault(at, stride, counted.element, counted.unsigned);
                return self.check(step, Err(fault));
            }
            at += stride;
        }
        self.results(step);
        Ok(None)
    }

    fn endless(&mut self, step: &Step, region: RegionId) -> RunResult<Option<Exit>> {
        self.hand_operands(&step.operands);
        let mut cycle = Cycle::default();
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.loops(true);
        }
        loop {
            self.tick(step)?;
            self.turn(step, &mut cycle)?;
            match self.enter(region, None)? {
                Exit::Continue | Exit::Yield => {}
                Exit::Break => break,
                Exit::Return => return Ok(Some(Exit::Return)),
            }
        }
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.loops(false);
        }
        self.results(step);
        Ok(None)
    }

    /// Fails if the sanitizer detects that a loop never ends.
    fn turn(&mut self, step: &Step, cycle: &mut Cycle) -> RunResult<()> {
        if self.instrumentation.sanitizer().is_some() {
            self.flush()?;
        }
        let Some(sanitizer) = self.instrumentation.sanitizer_mut() else { return Ok(()) };
        let outcome = sanitizer.turn(step.op, cycle, &self.handed, self.progress.left(), &self.context.memory);
        self.check(step, outcome)
    }

    fn branch(&mut self, step: &Step, then: RegionId, other: Option<RegionId>) -> RunResult<Option<Exit>> {
        self.decide(step, &step.operands[..1], "branches on an unspecified condition")?;
        let condition = self.values[step.operands[0].slot].tile().bits(0) == 1;
        let region = if condition { Some(then) } else { other };
        self.hand_operands(&[]);
        let exit = match region {
            Some(region) => self.enter(region, None)?,
            None => Exit::Yield,
        };
        if exit != Exit::Yield {
            return Ok(Some(exit));
        }
        self.results(step);
        Ok(None)
    }

    /// Checks that the operands that decide control flow are specified.
    fn decide(&self, step: &Step, operands: &[Operand], purpose: &'static str) -> RunResult<()> {
        match self.instrumentation.sanitizer() {
            Some(sanitizer) => self.check(step, sanitizer.decide(step.op, operands, purpose)),
            None => Ok(()),
        }
    }

    /// Passes operands on.
    fn hand_operands(&mut self, operands: &[Operand]) {
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.hand(operands);
        }
        self.handed.clear();
        self.handed.extend(operands.iter().map(|&operand| fetch(&mut self.values, operand)));
    }

    /// Uses the values that were passed on as the results of an op.
    fn results(&mut self, step: &Step) {
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.take(step.results..step.results + self.handed.len(), 0);
        }
        for (slot, value) in (step.results..).zip(self.handed.drain(..)) {
            self.values[slot] = value;
        }
    }

    /// Handles the start of a loop iteration; fails if the run should stop.
    fn tick(&mut self, step: &Step) -> RunResult<()> {
        self.flush_sometimes()?;
        if let Some(watcher) = self.instrumentation.watcher_mut() {
            watcher.turn();
        }
        match self.progress.turn() {
            None => Ok(()),
            Some(stop) => {
                let (fault, left) = (stop.fault(), self.progress.left());
                self.check(
                    step,
                    Err(match self.instrumentation.sanitizer() {
                        Some(sanitizer) => sanitizer.waiting(fault, left, &self.context.memory),
                        None => fault,
                    }),
                )
            }
        }
    }

    /// The operands of an op.
    pub(crate) fn operands(&mut self, step: &Step) -> Vec<Value> {
        let stored = |&operand: &Operand| {
            self.values[operand.slot].expand();
            fetch(&mut self.values, operand)
        };
        step.operands.iter().map(stored).collect()
    }

    pub(crate) fn check<T>(&self, step: &Step, outcome: OpResult<T>) -> RunResult<T> {
        outcome.map_err(|fault| Box::new(fault.at(Some(step.op), self.context.block)))
    }
}

fn fetch(values: &mut [Value], operand: Operand) -> Value {
    let value = &mut values[operand.slot];
    if operand.last { std::mem::replace(value, Value::Token) } else { value.share() }
}

/// The signed value of an integer; a true `i1` is -1.
fn signed(element: Element, bits: u64) -> i128 {
    match element {
        Element::I1 => -i128::from(bits & 1),
        _ => decode_int(element, bits).into(),
    }
}

fn scalar(element: Element, value: i128) -> Tile {
    Tile::splat(crate::values::tile::ScalarKind::of(element), value as u64)
}
