//! Reuse of factors: in a matrix product, the tile blocks of a row or a column load the same tiles. A tile that is only
//! used as a factor is kept, in the type in which it is multiplied, and later loads of the same elements return it.
//!
//! A kept tile is valid until something writes its allocation, which [`Allocation::mark_written`] records before the
//! write. So a load that is ordered after the write sees the mark; any other load may return the old elements.
//!
//! Without it, the matrix product of f16 takes 1.4 times as long, that of i8 2.0 times, and attention 1.5 times
//! (`benches/engine.rs`).

use crate::exec::plan::{Action, Plan, Step};
use crate::memory::{Allocation, Memory};
use crate::ops::context::{Mode, OpContext};
use crate::ops::kernel::{Kernel, constant};
use crate::ops::matrix::{Preparation, product};
use crate::ops::window::Reach;
use crate::optimize::affine::affine_tile::AffineTile;
use crate::optimize::affine::fast_path;
use crate::values::tile::{ScalarKind, Tile};
use crate::values::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tile_analysis::ir::{Body, Module, OpId};
use tile_dialect::{Mnemonic as M, OperandName};

/// The maximum memory for the kept tiles of a launch, in bytes.
const MAX_BYTES: usize = 32 << 20;
/// Keeping smaller tiles is not worthwhile.
const MIN_ELEMENTS: usize = 256;
/// The maximum rank of tiles that are kept.
const RANK: usize = 4;
/// The number of parts of a store, so that threads rarely wait for each other.
const PARTS: usize = 16;

/// Makes the loads of factors reuse tiles.
pub(crate) fn reuse(plan: &mut Plan, module: &Module, body: &Body) {
    let cx = |id: OpId| OpContext { module, body, op: body.op(id), id, mode: Mode::Optimized };
    let factors = factors(plan, &cx);
    let mut steps: Vec<&mut Step> = plan.regions.iter_mut().flat_map(|region| &mut region.steps).collect();
    let is_reused = |step: &&mut &mut Step| factors.contains_key(&step.results);
    let loads = steps.iter_mut().filter(is_reused).filter_map(|step| Some((locate(&cx(step.op))?, step)));
    let loads: Vec<_> = loads.collect();
    let bytes = MAX_BYTES / loads.len().max(1);
    let mut prepared = FxHashSet::default();
    for (locate, step) in loads {
        let Action::Kernel(kernel) = &mut step.action else { continue };
        let load = std::mem::replace(kernel, constant(Tile::splat(ScalarKind::Bool, 0)));
        *kernel = reusing(load, locate, factors[&step.results], Store::new(bytes));
        prepared.insert(step.results);
    }
    for step in steps {
        let cx = cx(step.op);
        if is_product(&cx) && prepared.contains(&step.operands[1].slot) {
            step.action = Action::Kernel(product(&cx, true));
        }
    }
}

fn is_product(cx: &OpContext<'_>) -> bool {
    matches!(cx.op.op, M::Mmaf | M::Mmai)
}

/// The values that are only used as factors.
fn factors<'a>(plan: &Plan, cx: &impl Fn(OpId) -> OpContext<'a>) -> FxHashMap<usize, Preparation> {
    let mut uses: FxHashMap<usize, Option<Preparation>> = FxHashMap::default();
    for step in plan.regions.iter().flat_map(|region| &region.steps) {
        let cx = cx(step.op);
        let factors = is_product(&cx).then(|| Preparation::both(&cx));
        for (place, operand) in step.operands.iter().enumerate() {
            let factor = factors.and_then(|factors| factors.get(place).copied());
            let found = uses.entry(operand.slot).or_insert(factor);
            *found = found.filter(|found| Some(*found) == factor);
        }
    }
    uses.into_iter().filter_map(|(slot, factor)| Some((slot, factor?))).collect()
}

/// The elements that an op loads.
struct Elements {
    /// The address of the first one.
    first: u64,
    /// The numbers that, with the type of the tile, determine the addresses of the others.
    shape: [u64; RANK],
    /// The least and the greatest address.
    ends: (u64, u64),
}

/// Finds the elements that an op with these operands loads.
type Locate = Box<dyn Fn(&[Value]) -> Option<Elements> + Send + Sync>;

fn locate(cx: &OpContext<'_>) -> Option<Locate> {
    let is_load = matches!(cx.op.op, M::LoadPtrTko | M::LoadViewTko);
    let tile = cx.result(0);
    if !is_load || !cx.is_weak() || tile.count < MIN_ELEMENTS || tile.shape.len() > RANK {
        return None;
    }
    if cx.op.op == M::LoadPtrTko {
        let mask = cx.optional(OperandName::Mask);
        return Some(Box::new(move |inputs| {
            let pointers = fast_path::pointers(&inputs[0], mask.map(|place| &inputs[place]))?;
            let AffineTile { first, places, rows, .. } = pointers;
            let (least, greatest) = pointers.ends::<u64>(false)?;
            let shape = [places.step, places.count, rows.step, rows.count];
            Some(Elements { first, shape, ends: (least as u64, greatest as u64) })
        }));
    }
    let reach = Reach::of(cx).ok()?;
    let size = reach.element.bytes();
    Some(Box::new(move |inputs| {
        let window = reach.window(inputs).ok()?;
        let first = window.first(size)?;
        let (mut shape, mut last) = ([0; RANK], first);
        for (dim, stride) in window.strides(&reach.extents, size)?.enumerate() {
            shape[dim] = stride;
            last = last.wrapping_add(stride.wrapping_mul(reach.extents[dim] as u64 - 1));
        }
        Some(Elements { first, shape, ends: (first, last) })
    }))
}

/// The kernel of a load that reuses tiles.
fn reusing(load: Kernel, locate: Locate, preparation: Preparation, store: Store) -> Kernel {
    Box::new(move |context, inputs, results| {
        let elements = locate(inputs);
        if let Some(tile) = elements.as_ref().and_then(|elements| store.find(elements)) {
            results.extend([tile.into(), Value::Token]);
            return Ok(());
        }
        load(context, inputs, results)?;
        let mut tile = preparation.prepare(results[0].take_tile());
        if let Some(elements) = &elements {
            store.keep(elements, &context.memory, &mut tile);
        }
        results[0] = tile.into();
        Ok(())
    })
}

/// The kept tiles of an op.
struct Store {
    /// Where they were loaded from.
    source: OnceLock<(Arc<Allocation>, [u64; RANK])>,
    parts: [Mutex<Part>; PARTS],
    /// The maximum size of a part in bytes.
    most: usize,
}

/// A part of the kept tiles, by the address of the first element.
#[derive(Default)]
struct Part {
    tiles: FxHashMap<u64, Tile>,
    /// The size of the tiles in bytes.
    bytes: usize,
    /// How often a tile was reused since the part was empty.
    reused: usize,
    /// Whether keeping tiles turned out to be useless.
    is_useless: bool,
}

impl Store {
    fn new(bytes: usize) -> Store {
        Store { source: OnceLock::new(), parts: Default::default(), most: bytes / PARTS }
    }

    fn find(&self, elements: &Elements) -> Option<Tile> {
        let (allocation, shape) = self.source.get()?;
        if *shape != elements.shape || allocation.is_written() {
            return None;
        }
        let mut part = self.part(elements.first);
        let tile = part.tiles.get_mut(&elements.first)?.share();
        part.reused += 1;
        Some(tile)
    }

    fn keep(&self, elements: &Elements, memory: &Memory, tile: &mut Tile) {
        let Some(allocation) = memory.of_both(elements.ends.0, elements.ends.1) else { return };
        let (source, shape) = self.source.get_or_init(|| (allocation.clone(), elements.shape));
        if Arc::ptr_eq(source, allocation) && *shape == elements.shape && !allocation.is_written() {
            self.part(elements.first).keep(elements.first, self.most, tile);
        }
    }

    /// The part for an address. Low bits of addresses are mostly zero.
    fn part(&self, address: u64) -> MutexGuard<'_, Part> {
        let hash = address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        self.parts[hash as usize % PARTS].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Part {
    /// Keeps a tile. If that takes more than `most` bytes, the others are dropped, and if they were rarely reused, no
    /// more tiles are kept.
    fn keep(&mut self, first: u64, most: usize, tile: &mut Tile) {
        let bytes = tile.stored() * tile.kind().bytes() as usize;
        if self.bytes + bytes > most {
            let is_useless = self.reused < self.tiles.len() || bytes > most;
            *self = Part { is_useless: self.is_useless || is_useless, ..Part::default() };
        }
        if !self.is_useless && self.tiles.insert(first, tile.share()).is_none() {
            self.bytes += bytes;
        }
    }
}
