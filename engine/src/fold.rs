//! `reduce` and `scan`: combining the elements along one dimension with the function in a region.
//!
//! Where the function computes with scalars only, it runs on many elements at once: what it says about one element is
//! done to a whole tile of them. A reduction halves the dimension until one element is left; a scan combines each
//! element with the one 1, 2, 4, … places before it. Both keep the order of the elements, so that the function need
//! only be associative. Any other function runs for one element after another.

use super::machine::{Machine, Run};
use super::ops::promise::may_be_late;
use super::ops::{self, pairwise, pairwise::Pairwise};
use super::plan::Step;
use super::reuse::vector;
use super::sanitize::{examine, identity_matters};
use super::site::{Site, Tiled};
use super::tile::{Kind, Tile, Word, full, with_kind};
use super::value::Value;
use rustc_hash::FxHashSet;
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
    /// The operands.
    elements: Vec<Tiled>,
    /// Values from outside that the function reads.
    captured: Vec<usize>,
    /// Whether the function may make elements that are undefined unless nobody uses them.
    may_be_late: bool,
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
            identities: identities.iter().map(|&(element, bits)| Tile::splat(Kind::of(element), bits)).collect(),
            lanes: elementwise(site.body, region),
            captured: captured(site.body, region),
            may_be_late: site.body.region(region).ops.iter().any(|&op| may_be_late(site.body.op(op).op)),
            elements: operands,
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

    /// The operands.
    pub(crate) fn elements(&self) -> &[Tiled] {
        &self.elements
    }

    /// The identity of each operand.
    pub(crate) fn identities(&self) -> &[Tile] {
        &self.identities
    }

    /// Whether the function may run on many elements at once.
    pub(crate) fn has_lanes(&self) -> bool {
        self.lanes
    }

    /// Runs it for the operands of a step. Its results are handed on.
    pub(crate) fn step(&self, machine: &mut Machine<'_>, step: &Step) -> Run<()> {
        let origins = match &machine.sanitizer {
            Some(sanitizer) => sanitizer.origins(&step.operands, &self.captured, self.may_be_late),
            None => None,
        };
        let operands = machine.operands(step);
        let mut tiles: Vec<Tile> = operands.into_iter().map(|mut value| value.take_tile()).collect();
        if let Some(sanitizer) = &mut machine.sanitizer
            && origins.is_none()
            && sanitizer.wants_sample(step.op)
            && let Some(fault) = examine(self, machine, &tiles)
        {
            return machine.check(step, Err(fault));
        }
        tiles.extend(origins.into_iter().flatten());
        let mut results = self.run(machine, step, tiles)?;
        let origins = results.split_off(self.elements.len());
        if let Some(sanitizer) = &mut machine.sanitizer {
            sanitizer.hand_origins(origins);
        }
        machine.hand(results.into_iter().map(Value::Tile));
        Ok(())
    }

    /// The results for these operands, and their origins behind them if those of the operands are there.
    fn run(&self, machine: &mut Machine<'_>, step: &Step, tiles: Vec<Tile>) -> Run<Vec<Tile>> {
        let count = self.outer * self.extent * self.inner;
        let tiles: Vec<Tile> = tiles.into_iter().map(|tile| widen(tile, count)).collect();
        match (self.scan, self.lanes) {
            (None, true) => self.halve(machine, step, tiles),
            (None, false) => Ok(self.one_by_one(machine, &tiles, Direction::Forward)?.1),
            (Some(direction), true) => self.double(machine, step, tiles, direction),
            (Some(direction), false) => Ok(self.one_by_one(machine, &tiles, direction)?.0),
        }
    }

    /// The identities, and that nothing is unspecified in them if origins of so many tiles are wanted too.
    fn first(&self, tiles: usize) -> Vec<Tile> {
        let specified = std::iter::repeat_with(|| Tile::splat(Kind::Word, 0));
        self.identities.iter().cloned().chain(specified).take(tiles).collect()
    }

    /// Reduces by combining neighbours until one element is left.
    fn halve(&self, machine: &mut Machine<'_>, step: &Step, mut tiles: Vec<Tile>) -> Run<Vec<Tile>> {
        // A trace tells of values in the region.
        let is_traced = machine.watcher.as_ref().is_some_and(|watcher| watcher.traces());
        if let (Some(pairwise), [tile], false) = (&self.pairwise, &tiles[..], is_traced) {
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
        self.with_identity(machine, step, tiles, self.outer * self.inner)
    }

    /// Combines results with the identity. In runs that sanitize, it must not matter whether this is done.
    fn with_identity(&self, machine: &mut Machine<'_>, step: &Step, tiles: Vec<Tile>, count: usize) -> Run<Vec<Tile>> {
        let first = self.first(tiles.len());
        let without = machine.sanitizer.is_some().then(|| tiles.clone());
        let combined = self.combine(machine, tiles, first, count)?;
        match without.and_then(|without| identity_matters(self, &without, &combined)) {
            Some(fault) => machine.check(step, Err(fault)),
            None => Ok(combined),
        }
    }

    /// Scans by combining each element with those farther and farther before it.
    fn double(
        &self,
        machine: &mut Machine<'_>,
        step: &Step,
        mut tiles: Vec<Tile>,
        direction: Direction,
    ) -> Run<Vec<Tile>> {
        let count = self.outer * self.extent * self.inner;
        let mut distance = 1;
        while distance < self.extent {
            let moved = |(tile, first): (&Tile, &Tile)| self.shifted(tile, first, distance, direction);
            let before = tiles.iter().zip(&self.first(tiles.len())).map(moved).collect();
            let combined = self.combine(machine, tiles.iter_mut().map(Tile::share).collect(), before, count)?;
            let merge = |(old, new): (&Tile, &Tile)| self.merged(old, new, distance, direction);
            tiles = tiles.iter().zip(&combined).map(merge).collect();
            distance *= 2;
        }
        self.with_identity(machine, step, tiles, count)
    }

    /// Each element's predecessor at a distance; where there is none, the one of `first`.
    fn shifted(&self, tile: &Tile, first: &Tile, distance: usize, direction: Direction) -> Tile {
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

    /// Runs the function on many elements, each with its accumulator. The accumulator comes first, as NVIDIA's compiler has
    /// it; the published description has it the other way round. It only matters where the function is not commutative.
    /// Behind both may stand the origins of their elements.
    pub(crate) fn combine(
        &self,
        machine: &mut Machine<'_>,
        mut elements: Vec<Tile>,
        mut accumulators: Vec<Tile>,
        count: usize,
    ) -> Run<Vec<Tile>> {
        let values = self.elements.len();
        let origins = (elements.split_off(values), accumulators.split_off(values));
        let wants_origins = !origins.0.is_empty();
        let pairs = elements.into_iter().zip(accumulators);
        machine.hand(pairs.flat_map(|(element, accumulator)| [Value::Tile(accumulator), Value::Tile(element)]));
        if let Some(sanitizer) = &mut machine.sanitizer {
            let pairs = origins.0.into_iter().zip(origins.1);
            sanitizer.hand_origins(pairs.flat_map(|(element, accumulator)| [accumulator, element]));
        }
        machine.enter(self.region, None)?;
        let mut results: Vec<Tile> = machine.handed().map(|mut value| value.take_tile()).collect();
        if let Some(sanitizer) = machine.sanitizer.as_ref().filter(|_| wants_origins) {
            results.extend(sanitizer.handed_origins());
        }
        Ok(results.into_iter().map(|tile| widen(tile, count)).collect())
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
            let mut accumulators = self.first(tiles.len());
            for step in 0..self.extent {
                let place = if direction == Direction::Forward { step } else { self.extent - 1 - step };
                let index = (outer * self.extent + place) * self.inner + inner;
                let elements = tiles.iter().map(|tile| Tile::splat(tile.kind(), tile.bits(index))).collect();
                accumulators = self.combine(machine, elements, accumulators, 1)?;
                all.iter_mut().zip(&accumulators).for_each(|(all, tile)| all[index] = tile.bits(0));
            }
            last.iter_mut().zip(&accumulators).for_each(|(last, tile)| last[lane] = tile.bits(0));
        }
        let of =
            |bits: &[Vec<u64>]| tiles.iter().zip(bits).map(|(tile, bits)| Tile::from_bits(tile.kind(), bits)).collect();
        Ok((of(&all), of(&last)))
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

/// The values from outside that a region reads, by number.
fn captured(body: &Body, region: RegionId) -> Vec<usize> {
    let (mut own, mut captured) = (FxHashSet::default(), Vec::new());
    own.extend(body.region(region).args.iter().copied());
    for &id in &body.region(region).ops {
        let op = body.op(id);
        own.extend(body.results(op));
        captured.extend(body.operands(op).iter().filter(|value| !own.contains(value)).map(|value| value.0 as usize));
        captured.extend(body.regions_of(op).flat_map(|inner| self::captured(body, inner)));
    }
    captured
}
