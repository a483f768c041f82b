//! Runs `reduce` and `scan`.

use crate::exec::fold::{Direction, Fold, half, widen};
use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::exec::plan::Step;
use crate::sanitize::associative::{examine, examine_results};
use crate::sanitize::identity::identity_matters;
use crate::values::tile::Tile;
use crate::values::value::Value;

impl<'a, I: Instrumentation<'a>> Interpreter<'a, I> {
    /// Runs `fold` on the operands of a step and passes on the results.
    pub(crate) fn fold(&mut self, fold: &Fold, step: &Step) -> RunResult<()> {
        let origins = match self.instrumentation.sanitizer() {
            Some(sanitizer) => sanitizer.origins(&step.operands, &fold.captured, fold.may_be_late),
            None => None,
        };
        let operands = self.operands(step);
        let mut tiles: Vec<Tile> = operands.into_iter().map(|mut value| value.take_tile()).collect();
        let is_sample = origins.is_none()
            && self.instrumentation.sanitizer_mut().is_some_and(|sanitizer| sanitizer.wants_sample(step.op));
        if is_sample && let Some(fault) = examine(fold, self, &tiles) {
            return self.check(step, Err(fault));
        }
        let sample = is_sample.then(|| tiles.clone());
        tiles.extend(origins.into_iter().flatten());
        let mut results = self.fold_tiles(fold, step, tiles)?;
        if let Some(sample) = sample
            && let Some(fault) = examine_results(fold, self, &sample, &results)
        {
            return self.check(step, Err(fault));
        }
        let origins = results.split_off(fold.elements.len());
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            sanitizer.hand_origins(origins);
        }
        self.hand(results.into_iter().map(Value::Tile));
        Ok(())
    }

    /// The results for these operands, followed by their origins if the operands have origins.
    fn fold_tiles(&mut self, fold: &Fold, step: &Step, tiles: Vec<Tile>) -> RunResult<Vec<Tile>> {
        let count = fold.outer * fold.extent * fold.inner;
        let tiles: Vec<Tile> = tiles.into_iter().map(|tile| widen(tile, count)).collect();
        match (fold.scan, fold.lanes) {
            (None, true) => self.halve(fold, step, tiles),
            (None, false) => Ok(self.one_by_one(fold, &tiles, Direction::Forward)?.1),
            (Some(direction), true) => self.double(fold, step, tiles, direction),
            (Some(direction), false) => Ok(self.one_by_one(fold, &tiles, direction)?.0),
        }
    }

    /// Reduces by combining neighbors until one element is left.
    fn halve(&mut self, fold: &Fold, step: &Step, mut tiles: Vec<Tile>) -> RunResult<Vec<Tile>> {
        // A trace reports the values in the region.
        let is_traced = self.instrumentation.watcher().is_some_and(|watcher| watcher.traces());
        if let (Some(pairwise), [tile], false) = (&fold.pairwise, &tiles[..], is_traced) {
            // The equivalent number of rounds through the region, of two ops each.
            self.progress.ops += 2 * (u64::from(fold.extent.max(1).ilog2()) + 1);
            return Ok(vec![pairwise(tile, fold.extent, fold.inner, &fold.identities[0])]);
        }
        let mut extent = fold.extent;
        while extent > 1 {
            let take = |tile: &Tile, odd| half(tile, extent, fold.inner, odd);
            let earlier = tiles.iter().map(|tile| take(tile, 0)).collect();
            let later = tiles.iter().map(|tile| take(tile, 1)).collect();
            extent /= 2;
            tiles = self.combine(fold, later, earlier, fold.outer * extent * fold.inner)?;
        }
        self.with_identity(fold, step, tiles, fold.outer * fold.inner)
    }

    /// Combines results with the identity. In sanitized runs, this must make no difference.
    fn with_identity(&mut self, fold: &Fold, step: &Step, tiles: Vec<Tile>, count: usize) -> RunResult<Vec<Tile>> {
        let first = fold.first(tiles.len());
        let without = self.instrumentation.sanitizer().is_some().then(|| tiles.clone());
        let combined = self.combine(fold, tiles, first, count)?;
        match without.and_then(|without| identity_matters(fold, &without, &combined)) {
            Some(fault) => self.check(step, Err(fault)),
            None => Ok(combined),
        }
    }

    /// Scans by combining each element with those at increasing distances before it.
    fn double(&mut self, fold: &Fold, step: &Step, mut tiles: Vec<Tile>, direction: Direction) -> RunResult<Vec<Tile>> {
        let count = fold.outer * fold.extent * fold.inner;
        let mut distance = 1;
        while distance < fold.extent {
            let moved = |(tile, first): (&Tile, &Tile)| fold.shifted(tile, first, distance, direction);
            let before = tiles.iter().zip(&fold.first(tiles.len())).map(moved).collect();
            let combined = self.combine(fold, tiles.iter_mut().map(Tile::share).collect(), before, count)?;
            let merge = |(old, new): (&Tile, &Tile)| fold.merged(old, new, distance, direction);
            tiles = tiles.iter().zip(&combined).map(merge).collect();
            distance *= 2;
        }
        self.with_identity(fold, step, tiles, count)
    }

    /// Runs the function on many elements, each with its accumulator. The accumulator comes first, as in NVIDIA's
    /// compiler; the published specification has the opposite order. This only matters for functions that are not
    /// commutative. Both can be followed by the origins of their elements.
    pub(crate) fn combine(
        &mut self,
        fold: &Fold,
        mut elements: Vec<Tile>,
        mut accumulators: Vec<Tile>,
        count: usize,
    ) -> RunResult<Vec<Tile>> {
        let values = fold.elements.len();
        let origins = (elements.split_off(values), accumulators.split_off(values));
        let wants_origins = !origins.0.is_empty();
        let pairs = elements.into_iter().zip(accumulators);
        self.hand(pairs.flat_map(|(element, accumulator)| [Value::Tile(accumulator), Value::Tile(element)]));
        if let Some(sanitizer) = self.instrumentation.sanitizer_mut() {
            let pairs = origins.0.into_iter().zip(origins.1);
            sanitizer.hand_origins(pairs.flat_map(|(element, accumulator)| [accumulator, element]));
        }
        self.enter(fold.region, None)?;
        let mut results: Vec<Tile> = self.handed().map(|mut value| value.take_tile()).collect();
        if let Some(sanitizer) = self.instrumentation.sanitizer().filter(|_| wants_origins) {
            results.extend(sanitizer.handed_origins());
        }
        Ok(results.into_iter().map(|tile| widen(tile, count)).collect())
    }

    /// Runs the function for one element after another. Returns all accumulators and the last ones.
    fn one_by_one(&mut self, fold: &Fold, tiles: &[Tile], direction: Direction) -> RunResult<(Vec<Tile>, Vec<Tile>)> {
        let mut all: Vec<Vec<u64>> = vec![vec![0; fold.outer * fold.extent * fold.inner]; tiles.len()];
        let mut last: Vec<Vec<u64>> = vec![vec![0; fold.outer * fold.inner]; tiles.len()];
        for lane in 0..fold.outer * fold.inner {
            let (outer, inner) = (lane / fold.inner, lane % fold.inner);
            let mut accumulators = fold.first(tiles.len());
            for step in 0..fold.extent {
                let place = if direction == Direction::Forward { step } else { fold.extent - 1 - step };
                let index = (outer * fold.extent + place) * fold.inner + inner;
                let elements = tiles.iter().map(|tile| Tile::splat(tile.kind(), tile.bits(index))).collect();
                accumulators = self.combine(fold, elements, accumulators, 1)?;
                all.iter_mut().zip(&accumulators).for_each(|(all, tile)| all[index] = tile.bits(0));
            }
            last.iter_mut().zip(&accumulators).for_each(|(last, tile)| last[lane] = tile.bits(0));
        }
        let of =
            |bits: &[Vec<u64>]| tiles.iter().zip(bits).map(|(tile, bits)| Tile::from_bits(tile.kind(), bits)).collect();
        Ok((of(&all), of(&last)))
    }
}
