//! `reduce` and `scan`: combining the elements along one dimension with the function in a region.
//!
//! If the function computes with scalars only, it runs on many elements at once: each op of the region runs on a whole
//! tile. A reduction halves the dimension until one element is left; a scan combines each element with the one 1, 2, 4,
//! … positions before it. Both keep the order of the elements, so that the function only has to be associative. Any
//! other function runs for one element after another.

use crate::ops;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::preconditions::may_be_late;
use crate::optimize::pairwise;
use crate::optimize::pairwise::Pairwise;
use crate::values::pool::vector;
use crate::values::tile::{Scalar, ScalarKind, Tile, full, with_kind};
use rustc_hash::FxHashSet;
use tile_analysis::ir::{Attr, Body, RegionId};
use tile_dialect::AttrName;

/// A reduction or a scan, ready to run.
pub(crate) struct Fold {
    pub(crate) region: RegionId,
    /// The product of the extents before the dimension.
    pub(crate) outer: usize,
    /// The extent of the dimension.
    pub(crate) extent: usize,
    /// The product of the extents after the dimension.
    pub(crate) inner: usize,
    /// The operands.
    pub(crate) elements: Vec<Tiled>,
    /// Values from outside that the function reads.
    pub(crate) captured: Vec<usize>,
    /// Whether the function contains an op whose violated precondition makes only its result undefined.
    pub(crate) may_be_late: bool,
    pub(crate) identities: Vec<Tile>,
    /// Whether the function can run on many elements at once.
    pub(crate) lanes: bool,
    /// The direction of a scan; `None` for a reduction.
    pub(crate) scan: Option<Direction>,
    /// A faster reduction that does not run the region, if there is one.
    pub(crate) pairwise: Option<Pairwise>,
}

/// The direction of a scan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

impl Fold {
    /// Plans a reduction.
    pub(crate) fn reduce(cx: &OpContext<'_>, region: RegionId) -> Fold {
        Fold { pairwise: pairwise::of(cx, region), ..Fold::new(cx, region, None) }
    }

    /// Plans a scan.
    pub(crate) fn scan(cx: &OpContext<'_>, region: RegionId) -> Fold {
        let reverse = matches!(cx.attr(AttrName::Reverse), Attr::Bool(true));
        Fold::new(cx, region, Some(if reverse { Direction::Backward } else { Direction::Forward }))
    }

    fn new(cx: &OpContext<'_>, region: RegionId, scan: Option<Direction>) -> Fold {
        let operands: Vec<Tiled> = cx.body.operands(cx.op).iter().map(|&value| Tiled::of(cx.body.ty(value))).collect();
        let extents = operands.first().map(Tiled::extents).unwrap_or_default();
        let dim = (cx.int(AttrName::Dim).max(0) as usize).min(extents.len().saturating_sub(1));
        let identities = match cx.attr(AttrName::Identities) {
            Attr::Identities(identities) => &identities[..],
            _ => &[],
        };
        Fold {
            region,
            outer: extents[..dim].iter().product(),
            extent: extents.get(dim).copied().unwrap_or(1),
            inner: extents.get(dim + 1..).unwrap_or_default().iter().product(),
            identities: identities.iter().map(|&(element, bits)| Tile::splat(ScalarKind::of(element), bits)).collect(),
            lanes: elementwise(cx.body, region),
            captured: captured(cx.body, region),
            may_be_late: cx.body.region(region).ops.iter().any(|&op| may_be_late(cx.body.op(op).op)),
            elements: operands,
            scan,
            pairwise: None,
        }
    }

    /// The extents before, along and after the dimension.
    pub(crate) fn extents(&self) -> (usize, usize, usize) {
        (self.outer, self.extent, self.inner)
    }

    /// Whether it returns all intermediate results.
    pub(crate) fn is_scan(&self) -> bool {
        self.scan.is_some()
    }

    /// The operands.
    pub(crate) fn elements(&self) -> &[Tiled] {
        &self.elements
    }

    /// The identity of each operand.
    pub(crate) fn identities(&self) -> &[Tile] {
        &self.identities
    }

    /// Whether the function can run on many elements at once.
    pub(crate) fn has_lanes(&self) -> bool {
        self.lanes
    }

    /// The identities, and their origins (fully specified) if there are that many operands with origins.
    pub(crate) fn first(&self, tiles: usize) -> Vec<Tile> {
        let specified = std::iter::repeat_with(|| Tile::splat(ScalarKind::U32, 0));
        self.identities.iter().cloned().chain(specified).take(tiles).collect()
    }

    /// The tile in which the predecessor at this distance replaces each element, or the element of `first` if there is
    /// no predecessor.
    pub(crate) fn shifted(&self, tile: &Tile, first: &Tile, distance: usize, direction: Direction) -> Tile {
        with_kind!(tile.kind(), T => {
            let elements = T::of(tile);
            let mut shifted = vec![T::of(first)[0]; elements.len()];
            let row = self.extent * self.inner;
            let moved = distance * self.inner;
            for (to, from) in shifted.chunks_mut(row).zip(elements.chunks(row)) {
                match direction {
                    Direction::Forward => to[moved..].copy_from_slice(&from[..row - moved]),
                    Direction::Backward => to[..row - moved].copy_from_slice(&from[moved..]),
                }
            }
            T::tile(shifted)
        })
    }

    /// The new elements where there is a predecessor at a distance, and the old ones elsewhere.
    pub(crate) fn merged(&self, old: &Tile, new: &Tile, distance: usize, direction: Direction) -> Tile {
        with_kind!(old.kind(), T => {
            let mut merged = T::of(old).to_vec();
            let row = self.extent * self.inner;
            let moved = distance * self.inner;
            for (to, from) in merged.chunks_mut(row).zip(T::of(new).chunks(row)) {
                match direction {
                    Direction::Forward => to[moved..].copy_from_slice(&from[moved..]),
                    Direction::Backward => to[..row - moved].copy_from_slice(&from[..row - moved]),
                }
            }
            T::tile(merged)
        })
    }
}

/// Every second element along the dimension, from the first or the second one.
pub(crate) fn half(tile: &Tile, extent: usize, inner: usize, odd: usize) -> Tile {
    debug_assert!(extent.is_multiple_of(2));
    with_kind!(tile.kind(), T => {
        let elements = T::of(tile);
        let mut kept = vector::<T>(elements.len() / 2);
        match (inner, odd) {
            (1, 0) => every_second::<T, 0>(elements, &mut kept),
            (1, _) => every_second::<T, 1>(elements, &mut kept),
            _ => {
                let pairs = elements.chunks_exact(2 * inner);
                kept.chunks_exact_mut(inner).zip(pairs).for_each(|(kept, pair)| {
                    kept.copy_from_slice(&pair[odd * inner..][..inner]);
                });
            }
        }
        T::tile(kept)
    })
}

fn every_second<T: Scalar, const ODD: usize>(elements: &[T], kept: &mut [T]) {
    for (kept, pair) in kept.iter_mut().zip(elements.as_chunks::<2>().0) {
        *kept = pair[ODD];
    }
}

/// A tile with all its elements stored.
pub(crate) fn widen(tile: Tile, count: usize) -> Tile {
    if tile.stored() == count {
        return tile;
    }
    with_kind!(tile.kind(), T => T::tile(full(T::of(&tile), count).into_owned()))
}

/// Whether all ops of a region compute element by element.
fn elementwise(body: &Body, region: RegionId) -> bool {
    body.region(region).ops.iter().all(|&id| {
        let op = body.op(id);
        let mut results = body.results(op);
        op.op.row().is_terminator()
            || (ops::is_elementwise(op.op) && results.all(|value| Tiled::of(body.ty(value)).shape.is_empty()))
    })
}

/// The values from outside that a region reads, by number.
fn captured(body: &Body, region: RegionId) -> Vec<usize> {
    let (mut own, mut captured) = (FxHashSet::default(), Vec::new());
    own.extend(body.region(region).args.iter().copied());
    for &id in &body.region(region).ops {
        let op = body.op(id);
        own.extend(body.results(op));
        captured.extend(body.operands(op).iter().filter(|value| !own.contains(value)).map(|value| value.0 as usize));
        captured.extend(body.regions_of(op).flat_map(|inner| crate::exec::fold::captured(body, inner)));
    }
    captured
}
