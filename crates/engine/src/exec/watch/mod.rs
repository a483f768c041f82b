//! Watched runs: values are reported as they are computed, and the cost of each op is counted.

pub(crate) mod recording;
pub(crate) mod stepping;

use crate::exec::output::Report;
use crate::exec::plan::Step;
use crate::exec::watch::recording::Recorder;
use crate::memory::Memory;
use crate::memory::rows::{Span, elements};
use crate::observer::{Accessed, Cost, Elements, Recorded, Traced, show};
use crate::ops::context::{Mode, OpContext, Tiled};
use crate::ops::kernel::{Context, OpResult};
use crate::ops::reach;
use crate::ops::reach::Reached;
use crate::options::Watch;
use crate::values::value::Value;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tile_analysis::ir::{self, Body, Module, OpId};
use tile_analysis::types::Type;
use tile_dialect::{AttrName, Class};

/// The watched values and costs of a run, shared by its threads.
pub(crate) struct Plan<'a> {
    watch: &'a Watch,
    /// Whether a value is traced, by its number.
    traced: Vec<bool>,
    /// The memory traffic of each op, by its number; empty if neither bytes are counted nor accesses reported.
    traffic: Vec<Option<Traffic>>,
    /// The cost of each op in the threads that have ended, by its number.
    costs: Mutex<Vec<Cost>>,
    /// What each value held in the threads that have ended, by its number.
    records: Mutex<Vec<Recorded>>,
}

/// How an op accesses memory.
struct Traffic {
    reached: Reached,
    reads: bool,
    writes: bool,
}

impl<'a> Plan<'a> {
    /// The watch plan, if anything is watched.
    pub(crate) fn of(watch: &'a Watch, module: &Module, body: &Body) -> OpResult<Option<Plan<'a>>> {
        if !watch.is_needed() {
            return Ok(None);
        }
        let mut traced = vec![false; body.values.len()];
        for value in &watch.trace {
            traced[value.0 as usize] = true;
        }
        let mut plan = Plan { watch, traced, traffic: vec![], costs: Mutex::default(), records: Mutex::default() };
        if watch.profile || watch.accesses {
            let ops = (0..body.ops.len() as u32).map(OpId);
            let sites = ops.map(|id| OpContext { module, body, op: body.op(id), id, mode: Mode::Observable });
            plan.traffic = sites.map(|cx| traffic(&cx)).collect::<OpResult<_>>()?;
        }
        if watch.profile {
            plan.costs = Mutex::new(vec![Cost::default(); body.ops.len()]);
        }
        Ok(Some(plan))
    }

    /// Whether values are reported.
    pub(crate) fn traces(&self) -> bool {
        !self.watch.trace.is_empty()
    }

    /// Whether events are reported in the order of the grid.
    pub(crate) fn reports(&self) -> bool {
        self.traces() || self.watch.accesses
    }

    /// Whether time and bytes are counted.
    pub(crate) fn counts(&self) -> bool {
        self.watch.profile
    }

    /// Whether what each value held is summarized.
    pub(crate) fn records(&self) -> bool {
        self.watch.records
    }

    /// What each value held that was computed, in the threads that have ended.
    pub(crate) fn recorded(&self) -> Vec<Recorded> {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.iter().filter(|recorded| recorded.runs > 0).cloned().collect()
    }

    /// The cost of each op, by its number; empty if it was not measured.
    pub(crate) fn costs(&self) -> Vec<Cost> {
        self.costs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The memory traffic of an op, if it has any.
fn traffic(cx: &OpContext<'_>) -> OpResult<Option<Traffic>> {
    let row = cx.op.op.row();
    if row.attr(AttrName::MemoryOrderingSemantics).is_none() {
        return Ok(None);
    }
    let reads = row.results.iter().any(|result| result.class == Class::Tile);
    let writes = row.operands.iter().any(|operand| operand.class == Class::Tile);
    Ok(reach::of(cx)?.map(|reached| Traffic { reached, reads, writes }))
}

/// The watcher of one thread's tile blocks.
pub(crate) struct Watcher<'a> {
    plan: &'a Plan<'a>,
    body: &'a Body,
    /// Whether values of this tile block are reported.
    awake: bool,
    /// The iterations of the running loops.
    pub(crate) iterations: Vec<u64>,
    costs: Vec<Cost>,
    recorder: Option<Recorder>,
    /// The time of the ops that ran inside the current one.
    pub(crate) inside: Duration,
}

/// The count of a loop that has not begun an iteration.
pub(crate) const BEFORE_THE_FIRST: u64 = u64::MAX;

impl<'a> Watcher<'a> {
    pub(crate) fn new(plan: &'a Plan<'a>, body: &'a Body) -> Watcher<'a> {
        let costs = if plan.counts() { vec![Cost::default(); body.ops.len()] } else { Vec::new() };
        let recorder = plan.records().then(|| Recorder::new(body));
        Watcher { plan, body, awake: false, iterations: Vec::new(), costs, recorder, inside: Duration::ZERO }
    }

    /// Starts a tile block.
    pub(crate) fn begin(&mut self, block: [u32; 3]) {
        self.iterations.clear();
        self.awake = self.plan.traces() && self.plan.watch.block.is_none_or(|only| only == block);
    }

    /// Counts an iteration of the innermost loop.
    #[cold]
    pub(crate) fn turn(&mut self) {
        self.iterations.iter_mut().last().into_iter().for_each(|count| *count = count.wrapping_add(1));
    }

    /// Whether values of this tile block are reported.
    pub(crate) fn traces(&self) -> bool {
        self.awake
    }

    /// Whether the observer sees every op before it runs.
    pub(crate) fn shows_steps(&self) -> bool {
        self.plan.watch.steps
    }

    /// The iterations of the running loops.
    pub(crate) fn iterations(&self) -> &[u64] {
        &self.iterations
    }

    /// Records the values just computed, and reports those that are traced.
    #[cold]
    pub(crate) fn computed(&mut self, numbers: impl Iterator<Item = usize>, values: &[Value], context: &Context<'_>) {
        if self.recorder.is_none() && !self.awake {
            return;
        }
        for number in numbers {
            if let Some(recorder) = &mut self.recorder {
                recorder.computed(number, &self.iterations, &values[number], context);
            }
            if self.awake && self.plan.traced[number] {
                let value = ir::Value(number as u32);
                let ty = self.body.ty(value);
                let shown = show::value(ty, &values[number], &context.memory, self.plan.watch.whole);
                let contents =
                    self.plan.watch.contents.then(|| contents(ty, &values[number], &context.memory)).flatten();
                let (block, iterations) = (context.block, self.iterations.clone());
                context.printer.report(Report::Traced(Traced { value, block, iterations, shown, contents }));
            }
        }
    }

    /// Counts the bytes that an op will move, and reports the elements.
    pub(crate) fn access(&mut self, step: &Step, values: &mut [Value], context: &Context<'_>) {
        let number = step.op.0 as usize;
        let Some(Some(traffic)) = self.plan.traffic.get(number) else { return };
        let inputs: Vec<Value> = step.operands.iter().map(|operand| values[operand.slot].share()).collect();
        let mut spans: Vec<Span> = Vec::new();
        // An unreachable address is a finding of the op itself.
        if (traffic.reached.list)(&inputs, &mut spans).is_err() {
            return;
        }
        if let Some(cost) = self.costs.get_mut(number) {
            let count: usize = spans.iter().map(|span| span.count).sum();
            let replicas = spans.first().and_then(|span| context.memory.replicas(span.address / 2));
            let replicas = replicas.map_or(1, |all| all.len());
            let bytes = (count * traffic.reached.size * replicas).div_ceil(2) as u64; // sizes are nibbles
            cost.read += if traffic.reads { bytes } else { 0 };
            cost.written += if traffic.writes { bytes } else { 0 };
        }
        let watch = self.plan.watch;
        if watch.accesses && watch.block.is_none_or(|only| only == context.block) {
            let (block, iterations) = (context.block, self.iterations.clone());
            let elements = elements(&spans).collect();
            context.printer.report(Report::Accessed(Accessed { op: step.op, block, iterations, elements }));
        }
    }

    pub(crate) fn count_time(&mut self, step: &Step, took: Duration, around: Duration) {
        if let Some(cost) = self.costs.get_mut(step.op.0 as usize) {
            cost.runs += 1;
            cost.time += took.saturating_sub(self.inside);
            self.inside = around + took;
        }
    }

    /// Counts the time of a deferred op, which was counted as run when it was deferred.
    pub(crate) fn count_late(&mut self, step: &Step, took: Duration) {
        if let Some(cost) = self.costs.get_mut(step.op.0 as usize) {
            cost.time += took;
            self.inside += took;
        }
    }
}

/// The elements of a tile in the format of [`Memory::allocate`]. In a `reduce` or `scan`, a tile stands for many that
/// are computed at once, and has no contents.
fn contents(ty: Type, value: &Value, memory: &Memory) -> Option<Vec<u8>> {
    let Value::Tile(tile) = value else { return None };
    let tiled = Tiled::of(ty);
    (tile.stored() <= tiled.count).then(|| Elements { tiled, tile, memory }.bytes())
}

/// Adds the counts of a thread to the total when its last block has ended, however it ended.
impl Drop for Watcher<'_> {
    fn drop(&mut self) {
        let mut all = self.plan.costs.lock().unwrap_or_else(PoisonError::into_inner);
        for (all, own) in all.iter_mut().zip(&self.costs) {
            all.runs += own.runs;
            all.time += own.time;
            all.read += own.read;
            all.written += own.written;
        }
        if let Some(recorder) = self.recorder.take() {
            recorder.merge_into(&mut self.plan.records.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}
