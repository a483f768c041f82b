//! What a run tells beside its results: values as they are computed, and what each op costs.
//!
//! A run without a watch pays one branch an op.

mod show;
mod stop;

pub use show::{Shown, Summary};
pub use stop::At;

use super::kernel::{Context, Outcome};
use super::machine::{Machine, Run};
use super::memory::Memory;
use super::ops::reach::{self, Reached, Span};
use super::output::{Output, Told};
use super::plan::{Action, Exit, Step};
use super::site::Site;
use super::value::Value;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tile_analysis::ir::{self, Body, Module, OpId};
use tile_dialect::Class;

/// What is watched.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// The values that are told of whenever they are computed.
    pub trace: Vec<ir::Value>,
    /// Whether all elements of a large tile are shown.
    pub whole: bool,
    /// The only tile block whose values are told of.
    pub block: Option<[u32; 3]>,
    /// Whether time and bytes are counted by op.
    pub profile: bool,
    /// Whether the observer sees every op before it runs, and may keep it waiting. Tile blocks run one after another then,
    /// and values stay until they are computed anew.
    pub steps: bool,
}

impl Watch {
    /// Whether anything is watched.
    pub(super) fn is_needed(&self) -> bool {
        self.profile || self.steps || !self.trace.is_empty()
    }
}

/// A value as it was computed.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// The value.
    pub value: ir::Value,
    /// The tile block.
    pub block: [u32; 3],
    /// The iterations of the loops around it, the outermost first, counted from 0.
    pub iterations: Vec<u64>,
    /// What it was.
    pub shown: Shown,
}

/// What an op has cost in all tile blocks together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// How often it ran.
    pub runs: u64,
    /// How long it ran, without the ops in its regions.
    pub time: Duration,
    /// How many bytes it read from memory.
    pub read: u64,
    /// How many bytes it wrote to memory.
    pub written: u64,
}

/// What is watched in a run, made once.
pub(super) struct Plan<'a> {
    watch: &'a Watch,
    /// Whether a value is traced, by its number.
    traced: Vec<bool>,
    /// What each op moves, by its number; empty where nothing is counted.
    traffic: Vec<Option<Traffic>>,
    /// What each op has cost in the threads that have ended, by its number.
    costs: Mutex<Vec<Cost>>,
}

/// How an op accesses memory.
struct Traffic {
    reached: Reached,
    reads: bool,
    writes: bool,
}

impl<'a> Plan<'a> {
    /// The plan, if anything is watched.
    pub(super) fn of(watch: &'a Watch, module: &Module, body: &Body) -> Outcome<Option<Plan<'a>>> {
        if !watch.is_needed() {
            return Ok(None);
        }
        let mut traced = vec![false; body.values.len()];
        for value in &watch.trace {
            traced[value.0 as usize] = true;
        }
        let mut plan = Plan { watch, traced, traffic: vec![], costs: Mutex::default() };
        if watch.profile {
            let ops = (0..body.ops.len() as u32).map(OpId);
            let sites = ops.map(|id| Site { module, body, op: body.op(id), id, sanitize: false, unseen: false });
            plan.traffic = sites.map(|site| traffic(&site)).collect::<Outcome<_>>()?;
            plan.costs = Mutex::new(vec![Cost::default(); body.ops.len()]);
        }
        Ok(Some(plan))
    }

    /// Whether values are told of.
    pub(super) fn traces(&self) -> bool {
        !self.watch.trace.is_empty()
    }

    /// What each op has cost, by its number; empty where nothing is counted.
    pub(super) fn costs(&self) -> Vec<Cost> {
        self.costs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What an op moves, if it does.
fn traffic(site: &Site<'_>) -> Outcome<Option<Traffic>> {
    let row = site.op.op.row();
    if row.attr("memory_ordering_semantics").is_none() {
        return Ok(None);
    }
    let reads = row.results.iter().any(|result| result.class == Class::Tile);
    let writes = row.operands.iter().any(|operand| operand.class == Class::Tile);
    Ok(reach::of(site)?.map(|reached| Traffic { reached, reads, writes }))
}

/// Who watches one thread's tile blocks.
pub(super) struct Watcher<'a> {
    plan: &'a Plan<'a>,
    body: &'a Body,
    /// Whether values of this tile block are told of.
    awake: bool,
    /// The iterations of the loops that run.
    iterations: Vec<u64>,
    costs: Vec<Cost>,
    /// How long the ops took that ran inside the one that runs.
    inside: Duration,
}

/// No iteration has begun.
const BEFORE_THE_FIRST: u64 = u64::MAX;

impl<'a> Watcher<'a> {
    pub(super) fn new(plan: &'a Plan<'a>, body: &'a Body) -> Watcher<'a> {
        let costs = vec![Cost::default(); plan.traffic.len()];
        Watcher { plan, body, awake: false, iterations: Vec::new(), costs, inside: Duration::ZERO }
    }

    /// A tile block begins.
    pub(super) fn begin(&mut self, block: [u32; 3]) {
        self.iterations.clear();
        self.awake = self.plan.traces() && self.plan.watch.block.is_none_or(|only| only == block);
    }

    /// The innermost loop begins its next iteration.
    #[cold]
    pub(super) fn turn(&mut self) {
        self.iterations.iter_mut().last().into_iter().for_each(|count| *count = count.wrapping_add(1));
    }

    /// Whether values of this tile block are told of.
    pub(super) fn traces(&self) -> bool {
        self.awake
    }

    /// The iterations of the loops that run.
    pub(super) fn iterations(&self) -> &[u64] {
        &self.iterations
    }

    /// Values have been computed: those of them that are traced are told of.
    #[cold]
    pub(super) fn computed(&self, numbers: impl Iterator<Item = usize>, values: &[Value], context: &Context<'_>) {
        if !self.awake {
            return;
        }
        for number in numbers.filter(|&number| self.plan.traced[number]) {
            let value = ir::Value(number as u32);
            let shown = show::value(self.body.ty(value), &values[number], &context.memory, self.plan.watch.whole);
            let (block, iterations) = (context.block, self.iterations.clone());
            context.printer.tell(Told::Traced(Traced { value, block, iterations, shown }));
        }
    }

    /// Counts the bytes that an op is about to move.
    fn count_bytes(&mut self, step: &Step, values: &mut [Value], memory: &Memory) {
        let number = step.op.0 as usize;
        let Some(Some(traffic)) = self.plan.traffic.get(number) else { return };
        let inputs: Vec<Value> = step.operands.iter().map(|operand| values[operand.slot].share()).collect();
        let mut spans: Vec<Span> = Vec::new();
        // What cannot be reached is a finding of the op itself.
        if (traffic.reached.list)(&inputs, &mut spans).is_ok() {
            let elements: usize = spans.iter().map(|span| span.count).sum();
            let replicas = spans.first().and_then(|span| memory.replicas(span.address / 2)).map_or(1, |all| all.len());
            let bytes = (elements * traffic.reached.size * replicas).div_ceil(2) as u64; // sizes are half bytes
            self.costs[number].read += if traffic.reads { bytes } else { 0 };
            self.costs[number].written += if traffic.writes { bytes } else { 0 };
        }
    }

    fn count_time(&mut self, step: &Step, took: Duration, around: Duration) {
        if let Some(cost) = self.costs.get_mut(step.op.0 as usize) {
            cost.runs += 1;
            cost.time += took.saturating_sub(self.inside);
            self.inside = around + took;
        }
    }

    /// An op that was put off, and counted then, has run inside another one or between two.
    fn count_late(&mut self, step: &Step, took: Duration) {
        if let Some(cost) = self.costs.get_mut(step.op.0 as usize) {
            cost.time += took;
            self.inside += took;
        }
    }
}

/// What a thread has counted is added to the whole when its last block has ended, however it did.
impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        let mut all = self.plan.costs.lock().unwrap_or_else(PoisonError::into_inner);
        for (all, own) in all.iter_mut().zip(&self.costs) {
            all.runs += own.runs;
            all.time += own.time;
            all.read += own.read;
            all.written += own.written;
        }
    }
}

impl<'a> Machine<'a> {
    /// Runs a step under the eyes of the watcher.
    #[cold]
    pub(super) fn watched(&mut self, step: &'a Step) -> Run<Option<Exit>> {
        let is_loop = matches!(step.action, Action::For(_) | Action::Loop(_));
        self.show_before(step);
        let Some(watcher) = &mut self.watcher else { return self.step(step) };
        watcher.count_bytes(step, &mut self.values, &self.context.memory);
        if is_loop {
            watcher.iterations.push(BEFORE_THE_FIRST);
        }
        let around = std::mem::take(&mut watcher.inside);
        let began = Instant::now();
        let outcome = self.step(step);
        let took = began.elapsed();
        if let Err(finding) = &outcome {
            self.show_failed(step, finding);
        }
        let Some(watcher) = &mut self.watcher else { return outcome };
        watcher.count_time(step, took, around);
        if is_loop {
            watcher.iterations.pop();
        }
        // What was put off has no result yet.
        if let Ok(None) = outcome
            && !self.is_put_off(step)
        {
            self.computed(step);
        }
        outcome
    }

    /// Runs an op that was put off in some iterations of the loops around it.
    #[cold]
    pub(super) fn watched_late(&mut self, step: &'a Step, mut iterations: Vec<u64>) -> Run<()> {
        let began = Instant::now();
        self.execute(step)?;
        let took = began.elapsed();
        let Some(watcher) = &mut self.watcher else { return Ok(()) };
        watcher.count_late(step, took);
        std::mem::swap(&mut watcher.iterations, &mut iterations);
        self.computed(step);
        if let Some(watcher) = &mut self.watcher {
            watcher.iterations = iterations;
        }
        Ok(())
    }

    /// The results of an op are there.
    fn computed(&self, step: &Step) {
        if let Some(watcher) = &self.watcher {
            let results = self.body.results(self.body.op(step.op)).map(|value| value.0 as usize);
            watcher.computed(results, &self.values, &self.context);
        }
    }
}
