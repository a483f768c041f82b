//! Fused ops: each strip is loaded, computed and stored before the next one.

use crate::memory::Memory;
use crate::memory::access::Use;
use crate::memory::atomic_buffer::AtomicBuffer;
use crate::memory::rows::Rows;
use crate::ops::context::Tiled;
use crate::optimize::fuse::role::{Find, Lanes};
use crate::values::pool::{recycle, vector};
use crate::values::tile::Scalar;
use crate::values::value::Value;
use std::ops::Range;
use tile_analysis::ir::{Body, OpId};

/// Ops that run fused.
pub(crate) struct FusedOps {
    /// The loads, followed by the store.
    pub(crate) accesses: Vec<Access>,
    pub(crate) computed: Vec<ComputedStrip>,
    /// The values from outside, each the same for all elements, and the strips they fill.
    pub(crate) outside: Vec<(usize, usize)>,
    /// The number of strips.
    pub(crate) strips: usize,
}

/// A load or a store.
pub(crate) struct Access {
    pub(crate) op: OpId,
    /// The values that the op reads, by number.
    pub(crate) operands: Box<[usize]>,
    pub(crate) find: Find,
    pub(crate) usage: Use,
    /// The strip that is loaded or stored.
    pub(crate) strip: usize,
}

/// A strip that an op computes from others.
pub(crate) struct ComputedStrip {
    pub(crate) lanes: Lanes,
    /// The operand strips; unused slots repeat the first one.
    pub(crate) operands: [usize; 3],
    pub(crate) result: usize,
}

/// The elements in a strip of a long row: a few strips fit into the L1 cache.
const STRIP: usize = 512;
/// The maximum number of elements in a strip of several short rows.
const SEVERAL: usize = 2048;
/// The distance between strips. At multiples of the page size, the processor would mistake accesses to two strips for
/// accesses to the same memory.
const APART: usize = SEVERAL + 64;
/// The number of elements in a cache line, at which strips begin.
const LINE: usize = 16;

/// The rows of a tile, located in memory.
struct LocatedRows<'a> {
    cells: &'a AtomicBuffer,
    start: usize,
    rows: Rows,
}

/// The inputs of fused ops, and the rows they access.
pub(crate) struct FusedOperands {
    /// The values from outside, and the strips they fill.
    outside: Vec<(f32, usize)>,
    /// The rows of each access.
    rows: Vec<Rows>,
}

/// Fused ops with their rows in memory.
pub(crate) struct LocatedOps<'a> {
    ops: &'a FusedOps,
    places: Vec<LocatedRows<'a>>,
    outside: &'a [(f32, usize)],
}

impl FusedOps {
    /// Runs all ops in strips. Returns `None`, without side effects, if that is not possible.
    pub(crate) fn run(&self, values: &mut [Value], inputs: &mut Vec<Value>, memory: &Memory) -> Option<()> {
        let reached =
            self.reach(values, |access, values| self.rows(access, inputs, |slot| Some(values[slot].share())))?;
        self.find(&reached, memory)?.run();
        Some(())
    }

    /// The inputs and rows, if the ops can run in strips: `rows` finds the rows of each access.
    pub(crate) fn reach(
        &self,
        values: &mut [Value],
        mut rows: impl FnMut(&Access, &mut [Value]) -> Option<Rows>,
    ) -> Option<FusedOperands> {
        let same = |&(slot, strip): &(usize, usize)| match f32::of(values[slot].tile()) {
            &[all] => Some((all, strip)),
            _ => None,
        };
        let outside = self.outside.iter().map(same).collect::<Option<_>>()?;
        let rows = self.accesses.iter().map(|access| rows(access, values)).collect::<Option<_>>()?;
        Some(FusedOperands { outside, rows })
    }

    /// The rows of an access with these operand values.
    pub(crate) fn rows(
        &self,
        access: &Access,
        inputs: &mut Vec<Value>,
        mut value: impl FnMut(usize) -> Option<Value>,
    ) -> Option<Rows> {
        inputs.clear();
        for &slot in &access.operands {
            inputs.push(value(slot)?);
        }
        (access.find)(inputs)
    }

    /// The accesses in source order: their ops, and the rows of each.
    pub(crate) fn accesses<'a>(&'a self, reached: &'a FusedOperands) -> impl Iterator<Item = (OpId, Rows)> + 'a {
        self.accesses.iter().zip(&reached.rows).map(|(access, rows)| (access.op, *rows))
    }

    /// Finds the rows in memory, if they can be cut into strips.
    pub(crate) fn find<'a>(&'a self, reached: &'a FusedOperands, memory: &'a Memory) -> Option<LocatedOps<'a>> {
        let FusedOperands { outside, rows } = reached;
        let joined = rows.iter().all(Rows::touch);
        let mut nearby = memory.nearby();
        let place = |(rows, access): (&Rows, &Access)| {
            let rows = if joined { rows.joined() } else { *rows };
            let (cells, start) = nearby.rows::<f32>(&rows, access.usage)?;
            Some(LocatedRows { cells, start, rows })
        };
        let places = rows.iter().zip(&self.accesses).map(place).collect::<Option<Vec<_>>>()?;
        let (stored, loaded) = places.split_last()?;
        let fits = loaded.iter().all(|loaded| loaded.goes_with(stored));
        fits.then_some(LocatedOps { ops: self, places, outside })
    }

    /// The stored elements.
    pub(crate) fn count(&self, body: &Body) -> usize {
        let tiles = self.accesses.last().into_iter().flat_map(|store| body.operands(body.op(store.op)));
        tiles.map(|value| Tiled::of(body.ty(*value)).count).max().unwrap_or(1)
    }
}

impl LocatedOps<'_> {
    /// Runs all ops in strips.
    pub(crate) fn run(&self) {
        let mut memory = vector::<f32>(self.ops.strips * APART + LINE);
        let aligned = memory.as_ptr().align_offset(LINE * f32::BYTES).min(LINE);
        let mut strips: Vec<&mut [f32]> = memory[aligned..].chunks_exact_mut(APART).collect();
        self.outside.iter().for_each(|&(all, strip)| strips[strip].fill(all));
        let Some(&LocatedRows { rows: Rows { rows, count, .. }, .. }) = self.places.last() else { return };
        let together = if count < STRIP { SEVERAL / count } else { 1 };
        for first in (0..rows).step_by(together) {
            for begin in (0..count).step_by(STRIP) {
                let part = begin..count.min(begin + STRIP);
                self.strip(first..rows.min(first + together), part, &mut strips);
            }
        }
        recycle(memory);
    }

    /// Loads, computes and stores a part of some rows.
    fn strip(&self, rows: Range<usize>, part: Range<usize>, strips: &mut [&mut [f32]]) {
        let LocatedOps { ops: FusedOps { accesses, computed, .. }, places, .. } = self;
        let (length, count) = (part.len(), rows.len() * part.len());
        let (stores, loads) = (accesses.len() - 1, &accesses[..accesses.len() - 1]);
        // The processor does not prefetch rows that are far apart.
        if rows.len() > 1 {
            let each = |place: &LocatedRows<'_>| {
                rows.clone().for_each(|row| place.cells.touch(place.at(row, part.start), length * f32::BYTES))
            };
            places[..stores].iter().for_each(each);
        }
        for (access, place) in loads.iter().zip(places) {
            let parts = strips[access.strip].chunks_exact_mut(length);
            rows.clone().zip(parts).for_each(|(row, into)| place.cells.read_row(place.at(row, part.start), into));
        }
        for link in computed {
            let result = std::mem::take(&mut strips[link.result]);
            (link.lanes)(&mut result[..count], link.operands.map(|strip| &strips[strip][..count]));
            strips[link.result] = result;
        }
        let (place, parts) = (&places[stores], strips[accesses[stores].strip].chunks_exact(length));
        rows.zip(parts).for_each(|(row, from)| place.cells.write_row(place.at(row, part.start), from));
    }
}

impl LocatedRows<'_> {
    /// The offset of an element.
    fn at(&self, row: usize, index: usize) -> usize {
        self.start + row * self.rows.step as usize + index * f32::BYTES
    }

    fn shares(&self, other: &LocatedRows<'_>) -> bool {
        std::ptr::eq(self.cells, other.cells)
    }

    /// Whether its strips can be loaded between those that are stored: it is divided in the same way, and is in
    /// different memory or exactly the same.
    fn goes_with(&self, stored: &LocatedRows<'_>) -> bool {
        let (own, other) = (&self.rows, &stored.rows);
        let is_cut_alike = (own.rows, own.count) == (other.rows, other.count);
        let is_same = (self.start, own.step) == (stored.start, other.step);
        let overlaps_itself = own.rows > 1 && own.step < (own.count * f32::BYTES) as u64;
        is_cut_alike && (!self.shares(stored) || is_same && !overlaps_itself)
    }
}
