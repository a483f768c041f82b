//! The parts of memory that executions touch: single elements, or rectangles of tensors that are equal or disjoint.

use crate::access::{Access, Base, Selection, memory_bits};
use crate::point::{Coverage, Point};
use crate::symbolic::{Poly, Symbol};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// What identifies a part: the offset of an element, or a tensor and the coordinates in it. Two numbers need no
/// allocation and take no more than the pointer to one.
pub(super) type Key = SmallVec<[i64; 2]>;

/// The parts that were touched.
#[derive(Default)]
pub(super) struct Parts(FxHashMap<Key, Part>);

struct Part {
    elements: u64,
    block: [i64; 3],
    is_shared: bool,
}

impl Parts {
    pub(super) fn add(&mut self, key: Key, elements: u64, block: [i64; 3]) {
        let part = self.0.entry(key).or_insert(Part { elements, block, is_shared: false });
        part.is_shared |= part.block != block;
    }

    /// The distinct elements, and those that more than one tile block touches.
    pub(super) fn totals(&self) -> (u64, u64) {
        let shared = self.0.values().filter(|part| part.is_shared);
        (self.0.values().map(|part| part.elements).sum(), shared.map(|part| part.elements).sum())
    }
}

/// Identifies the memory of an `alloca`, which is new in each tile block and each iteration of the loops around it.
pub(super) fn allocation(access: &Access, point: &Point<'_>) -> Key {
    let Some(Base::Scratch(alloca)) = access.base else { return Key::new() };
    let around = point.loops.iter().filter(move |turn| turn.op < alloca).map(|turn| turn.iteration);
    point.block.into_iter().chain(around).collect()
}

/// The tensors that an access selects rectangles of. A view can start at another element in each execution.
#[derive(Default)]
pub(super) struct Tensors {
    /// Where they start, in bits.
    starts: BTreeSet<i64>,
    /// The distance from the start of a tensor to the end of its last element, in bits.
    span: i64,
    /// Whether two elements of a tensor are at the same place.
    overlaps: bool,
}

impl Tensors {
    /// Adds the tensor of an execution, and returns where it starts.
    pub(super) fn add(&mut self, access: &Access, point: &Point<'_>) -> Option<i64> {
        let layout = access.layout(point)?;
        let extents = access.shape.iter().map(|extent| point.evaluate(extent)).collect::<Option<Vec<i64>>>()?;
        let mut dims: Vec<(i64, i64)> =
            layout.strides.iter().copied().zip(extents).filter(|(_, extent)| *extent > 1).collect();
        dims.sort_unstable();
        let mut span = i64::from(memory_bits(access.element));
        for (stride, extent) in dims {
            self.overlaps |= stride < span;
            span = span.checked_add(stride.checked_mul(extent - 1)?)?;
        }
        self.span = self.span.max(span);
        self.starts.insert(layout.start);
        Some(layout.start)
    }

    /// Whether no element is in two places of a tensor, or in two tensors.
    pub(super) fn are_disjoint(&self) -> bool {
        let mut pairs = self.starts.iter().zip(self.starts.iter().skip(1));
        !self.overlaps && pairs.all(|(one, next)| next - one >= self.span)
    }
}

impl Access {
    /// Whether it accesses rectangles that start at multiples of their extents, so that two of them are either equal or
    /// disjoint.
    pub(super) fn is_aligned(&self) -> bool {
        let is_aligned = |coordinate: &Poly| {
            let (first, length) = side(coordinate)?;
            first.divide_exactly(length)
        };
        self.selection == Selection::Slice
            && self.coordinates.iter().flatten().all(|coordinate| is_aligned(coordinate).is_some())
    }

    /// The coordinates of the first element of the rectangle that is accessed at a point, and its elements.
    pub(super) fn slice(&self, point: &Point<'_>) -> Option<(Vec<i64>, Coverage)> {
        let (mut start, mut accessed) = (Vec::new(), 1);
        let mut corners = [Vec::new(), Vec::new()];
        for (coordinate, extent) in self.coordinates.as_ref()?.iter().zip(&self.shape) {
            let (first, length) = side(coordinate)?;
            let (first, extent) = (point.evaluate(&first)?, point.evaluate(extent)?);
            let (low, end) = (first.max(0), first.saturating_add(length).min(extent));
            accessed *= (end - low).max(0) as u64;
            start.push(first);
            corners[0].push(low);
            corners[1].push(end - 1);
        }
        let layout = point.buffer_bits(self.base.as_ref()).filter(|_| accessed > 0).zip(self.layout(point));
        if layout.is_some_and(|(bits, layout)| corners.iter().any(|corner| !layout.is_inside(bits, corner))) {
            return Some((start, self.visit(point, &mut |_, _| {})?));
        }
        let outside = self.tile.iter().product::<i64>() as u64 - accessed;
        Some((start, Coverage { accessed, outside, ..Coverage::default() }))
    }
}

/// The first coordinate of a side of a rectangle, and its length.
fn side(coordinate: &Poly) -> Option<(Poly, i64)> {
    let symbols = coordinate.symbols();
    let mut lanes = symbols.iter().filter_map(|&symbol| match symbol {
        Symbol::Lane(_, length) => Some((symbol, length)),
        _ => None,
    });
    match (lanes.next(), lanes.next()) {
        (None, _) => Some((coordinate.clone(), 1)),
        (Some((lane, length)), None) => {
            let (factor, first) = coordinate.split_linear(lane)?;
            (factor.as_number() == Some(1)).then_some((first, length))
        }
        _ => None,
    }
}
