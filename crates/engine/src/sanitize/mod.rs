//! The sanitizer: finds undefined behavior that does not fail immediately.
//!
//! Every value has a shadow: which elements of a tile are unspecified, and which accesses precede a token. Every piece
//! of memory has a shadow cell: which accesses were the last ones. Before an op runs, its check inspects both, reports
//! a violation, and computes the shadows of the results. Tile blocks and ops run in one order, but shadows cover all
//! orders that the program allows.
//!
//! - `checks`: the checks before each op; `shadow_value`, `propagate`: unspecified elements, and how ops propagate
//!   them;
//! - `clock`, `chains`, `past`, `lists`: which accesses precede others; `shadow_memory`, `access`, `touch`: races;
//! - `synchronization`: what fails to order the accesses of a race;
//! - `cycle`, `loops`, `loop_state`: loops that cannot end;
//! - `associative`, `identity`, `samples`: reductions and scans that depend on grouping, order or identity.

pub(crate) mod access;
pub(crate) mod associative;
pub(crate) mod chains;
pub(crate) mod checks;
pub(crate) mod clock;
pub(crate) mod cycle;
pub(crate) mod identity;
pub(crate) mod lists;
pub(crate) mod loop_state;
pub(crate) mod loops;
pub(crate) mod past;
pub(crate) mod propagate;
pub(crate) mod samples;
pub(crate) mod shadow_memory;
pub(crate) mod shadow_value;
pub(crate) mod synchronization;
pub(crate) mod touch;

use crate::exec::plan::{Operand, Step};
use crate::findings::{Fault, at_element, unspecified_value};
use crate::memory::Memory;
use crate::memory::rows::Span;
use crate::memory::unit::Unit;
use crate::ops::assume::SPECIFIED;
use crate::ops::kernel::{Context, Kernel, OpResult};
use crate::simd;
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, Tile, at, with_kind};
use crate::values::value::Value;
use checks::{Check, Checks, ShadowEffect};
use clock::Events;
use cycle::Watch;
use lists::Lists;
use past::Past;
use propagate::Propagation;
use rustc_hash::FxHashMap;
use samples::Samples;
use shadow_memory::ShadowMemory;
use shadow_value::{Origin, Reason, Shadow};
use synchronization::Synchronization;
use tile_analysis::ir::OpId;

/// If a tile block has more undefined elements than this, only the last one of each op is reported.
const MAX_LATE: usize = 1024;

/// The sanitizer of one launch.
pub(crate) struct Sanitizer<'a> {
    /// The shadows of all values, by number.
    marks: Vec<Shadow>,
    /// The shadows of the values that a region passes on.
    handed: Vec<Shadow>,
    /// The causes of undefined elements: the violation and the op. [`Reason::Undefined`] refers to them by index.
    late: Vec<(OpId, Box<Fault>)>,
    /// The coordinates of the tile blocks that have begun, in execution order.
    blocks: Vec<[u32; 3]>,
    events: Events,
    lists: Lists,
    cells: ShadowMemory,
    /// The clocks released to addresses.
    released: FxHashMap<u64, Past>,
    synchronization: Synchronization,
    /// Allocations from this number on are scratch memory.
    scratch: usize,
    spans: Vec<Span>,
    watch: Watch,
    samples: Samples,
    checks: &'a Checks,
}

impl<'a> Sanitizer<'a> {
    /// Creates the sanitizer of a launch with this number of values and these checks, whose buffers and globals are in
    /// `memory`.
    pub(crate) fn new(checks: &'a Checks, values: usize, memory: &Memory) -> Sanitizer<'a> {
        Sanitizer {
            marks: vec![Shadow::Clean; values],
            handed: Vec::new(),
            late: Vec::new(),
            blocks: Vec::new(),
            events: Events::default(),
            lists: Lists::default(),
            cells: ShadowMemory::default(),
            released: FxHashMap::default(),
            synchronization: Synchronization::default(),
            scratch: memory.mark(),
            spans: Vec::new(),
            watch: Watch::default(),
            samples: Samples::default(),
            checks,
        }
    }

    /// Starts a tile block.
    pub(crate) fn begin(&mut self, block: [u32; 3]) {
        self.blocks.push(block);
        self.handed.clear();
        self.late.clear();
        self.synchronization.begin();
        self.watch = Watch::default();
    }

    /// Frees scratch memory from this allocation on.
    pub(crate) fn release(&mut self, mark: usize) {
        self.cells.release(mark.max(self.scratch));
    }

    /// Passes operands on.
    pub(crate) fn hand(&mut self, operands: &[Operand]) {
        self.handed.clear();
        self.handed.extend(operands.iter().map(|operand| self.marks[operand.slot].clone()));
    }

    /// Passes on tiles whose elements have these origins.
    pub(crate) fn hand_origins(&mut self, origins: impl IntoIterator<Item = Tile>) {
        self.handed.clear();
        self.handed.extend(origins.into_iter().map(Shadow::of));
    }

    /// The origins of the elements of the values that were passed on.
    pub(crate) fn handed_origins(&self) -> impl Iterator<Item = Tile> + '_ {
        self.handed.iter().map(Shadow::tile)
    }

    /// Makes the passed-on shadows those of the values with these numbers; the first `new` values are fresh.
    pub(crate) fn take(&mut self, slots: impl Iterator<Item = usize>, new: usize) {
        let mut handed = std::mem::take(&mut self.handed);
        let mut marks = std::iter::repeat_n(Shadow::Clean, new).chain(handed.drain(..));
        slots.for_each(|slot| self.marks[slot] = marks.next().unwrap_or_default());
        drop(marks);
        self.handed = handed;
    }

    /// Checks that control flow does not depend on unspecified operands of an op.
    pub(crate) fn decide(&self, op: OpId, operands: &[Operand], purpose: &'static str) -> OpResult<()> {
        match operands.iter().find_map(|operand| self.marks[operand.slot].first()) {
            Some((index, origin)) => Err(self.unspecified(op, purpose, index, &[], origin)),
            None => Ok(()),
        }
    }

    /// Whether to check the function of a reduction or a scan.
    pub(crate) fn wants_sample(&mut self, op: OpId) -> bool {
        self.samples.wanted(op)
    }

    /// The origins of the elements that a reduction or a scan combines, one tile for each operand; `None` if none of
    /// its inputs is unspecified or can become so.
    pub(crate) fn origins(&self, operands: &[Operand], captured: &[usize], may_be_late: bool) -> Option<Vec<Tile>> {
        let mut slots = operands.iter().map(|operand| operand.slot).chain(captured.iter().copied());
        let marked = may_be_late || slots.any(|slot| self.marks[slot].origins().is_some());
        marked.then(|| operands.iter().map(|operand| self.marks[operand.slot].tile()).collect())
    }

    /// Checks an op before it runs.
    pub(crate) fn before(
        &mut self,
        step: &Step,
        kernel: &Kernel,
        inputs: &mut [Value],
        context: &mut Context<'_>,
    ) -> OpResult<()> {
        let Some(check) = self.checks.of(step.op) else { return Ok(()) };
        for need in &check.whole {
            if let Some((index, origin)) = self.mark(step, need.place).first() {
                return Err(self.unspecified(step.op, need.purpose, index, &need.shape, origin));
            }
        }
        let late = self.check_preconditions(step, check, inputs, &context.memory)?;
        let before = self.past(step, &check.token_operands);
        let (tile, token) = match &check.effect {
            ShadowEffect::Propagation(propagation) => {
                let token = if check.fences { before.fence() } else { before };
                (self.propagate(step, propagation, kernel, inputs, context)?.or(&late), token)
            }
            ShadowEffect::Access(access) => self.access(step, access, before, inputs, &context.memory)?,
        };
        self.mark_results(step, check, &tile, &token);
        Ok(())
    }

    fn mark_results(&mut self, step: &Step, check: &Check, tile: &Shadow, token: &Past) {
        for (slot, &is_token) in (step.results..).zip(&check.token_results) {
            self.marks[slot] = if is_token { Shadow::Token(token.clone()) } else { tile.clone() };
        }
    }

    /// Checks an access to adjacent elements that all exist and are specified: `count` elements from an address on.
    pub(crate) fn reaches(&mut self, step: &Step, address: u64, count: usize, memory: &Memory) -> OpResult<()> {
        let Some(check) = self.checks.of(step.op) else { return Ok(()) };
        let ShadowEffect::Access(access) = &check.effect else { return Ok(()) };
        let before = self.past(step, &check.token_operands);
        let address = Unit::Byte.nibbles(address);
        let span = Span { place: 0, address, step: access.reached.size as u64, count };
        let (tile, token) = self.reach(step, access, before, &[span], &[], memory)?;
        self.mark_results(step, check, &tile, &token);
        Ok(())
    }

    fn mark(&self, step: &Step, place: usize) -> &Shadow {
        &self.marks[step.operands[place].slot]
    }

    /// The shadows of all operands.
    fn any(&self, step: &Step) -> Shadow {
        step.operands.iter().fold(Shadow::Clean, |all, operand| all.or(&self.marks[operand.slot]))
    }

    /// Checks the preconditions of an op for its specified elements. Returns the shadow of undefined elements.
    fn check_preconditions(
        &mut self,
        step: &Step,
        check: &Check,
        inputs: &mut [Value],
        memory: &Memory,
    ) -> OpResult<Shadow> {
        if let Some(assumed) = &check.assumed {
            assumed(&inputs[0], self.mark(step, 0).origins().unwrap_or(SPECIFIED), memory)?;
        }
        if check.divides {
            // Division by or of an unspecified element is not a separate error.
            inputs.iter_mut().enumerate().for_each(|(place, input)| make_one(input, self.mark(step, place)));
        }
        let mut left = Shadow::Clean;
        for precondition in &check.preconditions {
            let broken = (precondition.broken)(inputs);
            let broken = bool::of(&broken);
            if !broken.contains(&true) {
                continue;
            }
            let mark = precondition.operand.map_or_else(|| self.any(step), |place| self.mark(step, place).clone());
            let count = broken.len().max(mark.origins().map_or(1, <[u32]>::len));
            let breaks = |&index: &usize| at(broken, index) && mark.at(index).is_none();
            let Some(index) = (0..count).find(breaks) else { continue };
            let fault = (precondition.fault)(inputs, index);
            if !precondition.late || !check.used {
                return Err(fault);
            }
            let origin = self.undefined(step.op, fault).code();
            left = left.or(&Shadow::of(u32::tile(broken.iter().map(|&broken| u32::from(broken) * origin).collect())));
        }
        Ok(left)
    }

    /// The origins of elements that an op left undefined.
    fn undefined(&mut self, op: OpId, fault: Box<Fault>) -> Origin {
        let known = self.late.iter().rposition(|late| late.0 == op && (self.late.len() >= MAX_LATE || late.1 == fault));
        let index = known.unwrap_or_else(|| {
            self.late.push((op, fault));
            self.late.len() - 1
        });
        Origin { op: OpId(index as u32), reason: Reason::Undefined }
    }

    /// The accesses that precede an op: those of its tokens.
    fn past(&self, step: &Step, tokens: &[usize]) -> Past {
        let pasts = tokens.iter().filter_map(|&place| self.mark(step, place).past());
        pasts.fold(Past::default(), |all, past| all.join(past))
    }

    fn propagate(
        &self,
        step: &Step,
        propagation: &Propagation,
        kernel: &Kernel,
        inputs: &[Value],
        context: &mut Context<'_>,
    ) -> OpResult<Shadow> {
        let marked = |operand: &Operand| self.marks[operand.slot].origins().is_some();
        if !step.operands.iter().any(marked) {
            return Ok(Shadow::Clean);
        }
        let mark = |place| self.mark(step, place);
        Ok(match propagation {
            Propagation::Each => self.any(step),
            Propagation::Select => propagate::select(inputs[0].tile(), [0, 1, 2].map(mark)),
            Propagation::Masked(fixed) => {
                propagate::masked(*fixed, [0, 1].map(|place| inputs[place].tile()), [0, 1].map(mark))
            }
            Propagation::Product(product) => product.mark(&|place| mark(place).clone(), &|place| inputs[place].tile()),
            Propagation::Bits(from, to) => propagate::bits(*from, *to, mark(0)),
            Propagation::Move(places) => {
                let mut marks = inputs.to_vec();
                places.iter().for_each(|&place| marks[place] = mark(place).tile().into());
                let mut results = Vec::new();
                kernel(context, &mut marks, &mut results)?;
                results.first().map_or(Shadow::Clean, |origins| Shadow::of(origins.tile().clone()))
            }
        })
    }

    /// The finding for the use of an unspecified element.
    fn unspecified(&self, op: OpId, purpose: &str, index: usize, shape: &[i64], origin: Origin) -> Box<Fault> {
        let source = match origin.reason {
            Reason::Masked => "this element is masked out, and the load has no padding value",
            Reason::Outside => "this element is outside the tensor, and the view has no padding value",
            Reason::NeverWritten => "this element is read from uninitialized scratch memory",
            Reason::Undefined => {
                let (source, fault) = &self.late[origin.op.0 as usize];
                let user = format!("this {purpose}{}, which comes from there", at_element(index, shape));
                return fault.clone().of_op(*source).other(op, user);
            }
        };
        unspecified_value::fault(purpose, index, shape, (origin.op, source))
    }
}

/// Replaces the unspecified elements of a tile by 1.
fn make_one(value: &mut Value, mark: &Shadow) {
    if mark.origins().is_some() {
        let (tile, origins) = (value.tile(), mark.tile());
        *value = with_kind!(tile.kind(), T => {
            simd::zip(tile, &origins, |element: T, origin: u32| if origin == 0 { element } else { T::of_bits(1) })
        })
        .into();
    }
}
