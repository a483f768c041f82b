//! `reduce` and `scan`: combining the elements along one dimension with the function in a region.
//!
//! Where the function computes with scalars only, it runs on many elements at once: what it says about one element is
//! done to a whole tile of them. A reduction halves the dimension until one element is left; a scan combines each
//! element with the one 1, 2, 4, … places before it. Both keep the order of the elements, so that the function need
//! only be associative. Any other function runs for one element after another.

use super::machine::{Machine, Run};
use super::ops::{self, pairwise, pairwise::Pairwise};
use super::reuse::vector;
use super::site::{Site, Tiled};
use super::tile::{Kind, Tile, Word, full, with_kind};
use super::value::Value;
use tile_analysis::ir::{Attr, Body, RegionId};

/// A reduction or a scan, ready to run.
pub(crate) struct Fold {
    region: RegionId,
    /// The product of the extents before the dimension.
    outer: usize,
    /// The extent of the dimension.
    extent: usize,
    /// The product of the extents behind the dimension.
    inner: usize,
    kinds: Vec<Kind>,
    identities: Vec<Tile>,
    /// Whether the function may run on many elements at once.
    lanes: bool,
    /// The direction of a scan; `None` for a reduction.
    scan: Option<Direction>,
    /// The reduction without rounds through the region, where there is one.
    pairwise: Option<Pairwise>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

impl Fold {
    /// Plans a reduction.
    pub(crate) fn reduce(site: &Site<'_>, region: RegionId) -> Fold {
        Fold { pairwise: pairwise::of(site, region), ..Fold::new(site, region, None) }
    }

    /// Plans a scan.
    pub(crate) fn scan(site: &Site<'_>, region: RegionId) -> Fold {
        let reverse = matches!(site.attr("reverse"), Attr::Bool(true));
        Fold::new(site, region, Some(if reverse { Direction::Backward } else { Direction::Forward }))
    }

    fn new(site: &Site<'_>, region: RegionId, scan: Option<Direction>) -> Fold {
        let operands: Vec<Tiled> =
            site.body.operands(site.op).iter().map(|&value| Tiled::of(site.body.ty(value))).collect();
        let extents = operands.first().map(Tiled::extents).unwrap_or_default();
        let dim = (site.int("dim").max(0) as usize).min(extents.len().saturating_sub(1));
        let identities = match site.attr("identities") {
            Attr::Identities(identities) => &identities[..],
            _ => &[],
        };
        Fold {
            region,
            outer: extents[..dim].iter().product(),
            extent: extents.get(dim).copied().unwrap_or(1),
            inner: extents.get(dim + 1..).unwrap_or_default().iter().product(),
            kinds: operands.iter().map(|operand| operand.kind).collect(),
            identities: identities.iter().map(|&(element, bits)| Tile::splat(Kind::of(element), bits)).collect(),
            lanes: elementwise(site.body, region),
            scan,
            pairwise: None,
        }
    }

    /// The extents before the dimension, along it, and behind it.
    pub(crate) fn extents(&self) -> (usize, usize, usize) {
        (self.outer, self.extent, self.inner)
    }

    /// Whether it gives all intermediate results.
    pub(crate) fn is_scan(&self) -> bool {
        self.scan.is_some()
    }

    /// Whether it begins at the last element.
    pub(crate) fn is_backward(&self) -> bool {
        self.scan == Some(Direction::Backward)
    }

    /// The results for these operands.
    pub(crate) fn run(&self, machine: &mut Machine<'_>, operands: Vec<Value>) -> Run<Vec<Value>> {
        let count = self.outer * self.extent * self.inner;
        let tiles: Vec<Tile> = operands.into_iter().map(|mut value| widen(value.take_tile(), count)).collect();
        let results = match (self.scan, self.lanes) {
            (None, true) => self.halve(machine, tiles)?,
            (None, false) => self.one_by_one(machine, &tiles, Direction::Forward)?.1,
            (Some(direction), true) => self.double(machine, tiles, direction)?,
            (Some(direction), false) => self.one_by_one(machine, &tiles, direction)?.0,
        };
        Ok(results.into_iter().map(Value::Tile).collect())
    }

    /// Reduces by combining neighbours until one element is left.
    fn halve(&self, machine: &mut Machine<'_>, mut tiles: Vec<Tile>) -> Run<Vec<Tile>> {
        if let (Some(pairwise), [tile]) = (&self.pairwise, &tiles[..]) {
            // As many rounds through the region would be, of two ops each.
            machine.progress.ops += 2 * (u64::from(self.extent.max(1).ilog2()) + 1);
            return Ok(vec![pairwise(tile, self.extent, self.inner, &self.identities[0])]);
        }
        let mut extent = self.extent;
        while extent > 1 {
            let take = |tile: &Tile, odd| half(tile, extent, self.inner, odd);
            let earlier = tiles.iter().map(|tile| take(tile, 0)).collect();
            let later = tiles.iter().map(|tile| take(tile, 1)).collect();
            extent /= 2;
            tiles = self.combine(machine, later, earlier, self.outer * extent * self.inner)?;
        }
        self.combine(machine, tiles, self.identities.clone(), self.outer * self.inner)
    }

    /// Scans by combining each element with those farther and farther before it.
    fn double(&self, machine: &mut Machine<'_>, mut tiles: Vec<Tile>, direction: Direction) -> Run<Vec<Tile>> {
        let count = self.outer * self.extent * self.inner;
        let mut distance = 1;
        while distance < self.extent {
            let before = tiles.iter().map(|tile| self.shifted(tile, distance, direction)).collect();
            let combined = self.combine(machine, tiles.iter_mut().map(Tile::share).collect(), before, count)?;
            let merge = |(old, new): (&Tile, &Tile)| self.merged(old, new, distance, direction);
            tiles = tiles.iter().zip(&combined).map(merge).collect();
            distance *= 2;
        }
        self.combine(machine, tiles, self.identities.clone(), count)
    }

    /// Each element's predecessor at a distance; where there is none, anything.
    fn shifted(&self, tile: &Tile, distance: usize, direction: Direction) -> Tile {
        with_kind!(tile.kind(), T => {
            let elements = T::of(tile);
            let mut shifted = elements.to_vec();
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

    /// The new elements where there is a predecessor at a distance, the old ones elsewhere.
    fn merged(&self, old: &Tile, new: &Tile, distance: usize, direction: Direction) -> Tile {
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

    /// Runs the function on many elements, each with its accumulator.
    fn combine(
        &self,
        machine: &mut Machine<'_>,
        elements: Vec<Tile>,
        accumulators: Vec<Tile>,
        count: usize,
    ) -> Run<Vec<Tile>> {
        let pairs = elements.into_iter().zip(accumulators);
        machine.hand(pairs.flat_map(|(element, accumulator)| [Value::Tile(element), Value::Tile(accumulator)]));
        machine.enter(self.region, None)?;
        Ok(machine.handed().map(|mut value| widen(value.take_tile(), count)).collect())
    }

    /// Runs the function for one element after another. Gives all accumulators and the last ones.
    fn one_by_one(
        &self,
        machine: &mut Machine<'_>,
        tiles: &[Tile],
        direction: Direction,
    ) -> Run<(Vec<Tile>, Vec<Tile>)> {
        let mut all: Vec<Vec<u64>> = vec![vec![0; self.outer * self.extent * self.inner]; tiles.len()];
        let mut last: Vec<Vec<u64>> = vec![vec![0; self.outer * self.inner]; tiles.len()];
        for lane in 0..self.outer * self.inner {
            let (outer, inner) = (lane / self.inner, lane % self.inner);
            let mut accumulators = self.identities.clone();
            for step in 0..self.extent {
                let place = if direction == Direction::Forward { step } else { self.extent - 1 - step };
                let index = (outer * self.extent + place) * self.inner + inner;
                let element = |(kind, tile): (&Kind, &Tile)| Tile::splat(*kind, tile.bits(index));
                let elements = self.kinds.iter().zip(tiles).map(element).collect();
                accumulators = self.combine(machine, elements, accumulators, 1)?;
                all.iter_mut().zip(&accumulators).for_each(|(all, tile)| all[index] = tile.bits(0));
            }
            last.iter_mut().zip(&accumulators).for_each(|(last, tile)| last[lane] = tile.bits(0));
        }
        Ok((self.tiles(&all), self.tiles(&last)))
    }

    fn tiles(&self, bits: &[Vec<u64>]) -> Vec<Tile> {
        self.kinds.iter().zip(bits).map(|(&kind, bits)| Tile::from_bits(kind, bits)).collect()
    }
}

/// Every second element along the dimension, from the first or the second one.
fn half(tile: &Tile, extent: usize, inner: usize, odd: usize) -> Tile {
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

fn every_second<T: Word, const ODD: usize>(elements: &[T], kept: &mut [T]) {
    for (kept, pair) in kept.iter_mut().zip(elements.as_chunks::<2>().0) {
        *kept = pair[ODD];
    }
}

/// A tile with all its elements stored.
fn widen(tile: Tile, count: usize) -> Tile {
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
