//! Checks, on samples, whether the function of a reduction or a scan depends on the grouping of elements, and that of a
//! reduction on their order.

use crate::exec::fold::Fold;
use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::findings::{Fault, not_associative};
use crate::sanitize::identity::{shown_together, tolerance};
use crate::values::tile::Tile;
use tile_analysis::number::decode;

/// The number of groups of three elements that are tried at once.
const AT_ONCE: usize = 64;
/// The number of groups that are tried if each needs a separate run.
const ONE_BY_ONE: usize = 8;

/// Elements of all operands at some positions.
type Row = Vec<Tile>;

/// Tries the function of a reduction on elements of its operands; `Some` if the order matters.
pub(crate) fn examine<'a, I: Instrumentation<'a>>(
    fold: &Fold,
    interpreter: &mut Interpreter<'a, I>,
    operands: &[Tile],
) -> Option<Box<Fault>> {
    let (outer, extent, inner) = fold.extents();
    let total = outer * extent * inner;
    if extent < 2 || total == 0 {
        return None;
    }
    let most = if fold.has_lanes() { AT_ONCE } else { ONE_BY_ONE };
    let count = most.min(total);
    let spread: Vec<usize> = (0..count).map(|index| index * total / count).collect();
    let groups: Vec<&[usize]> = if fold.has_lanes() { vec![&spread] } else { spread.chunks(1).collect() };
    // A trial is not reported, and no deferred op runs in it.
    let instruments = interpreter.instrumentation.instruments_mut();
    let aside = instruments.map(|all| (all.watcher.take(), all.schedule.take()));
    let found = groups.into_iter().find_map(|places| {
        let trial = Trial { fold, places, extent, inner };
        // If the function fails, the actual run reports it.
        let found = |tried: RunResult<Option<Box<Fault>>>| tried.ok().flatten();
        found(trial.grouping(interpreter, operands))
            .or_else(|| found(trial.order(interpreter, operands)))
            .or_else(|| found(trial.identity(interpreter, operands)))
    });
    if let (Some(instruments), Some(aside)) = (interpreter.instrumentation.instruments_mut(), aside) {
        (instruments.watcher, instruments.schedule) = aside;
    }
    found
}

struct Trial<'a> {
    fold: &'a Fold,
    places: &'a [usize],
    extent: usize,
    inner: usize,
}

impl Trial<'_> {
    /// The elements at a distance from the first ones along the dimension, which wraps around.
    fn row(&self, operands: &[Tile], distance: usize) -> Row {
        let moved = |place: usize| {
            let (step, inside) = (place / self.inner, place % self.inner);
            (step / self.extent * self.extent + (step % self.extent + distance) % self.extent) * self.inner + inside
        };
        let bits = |tile: &Tile| self.places.iter().map(|&place| tile.bits(moved(place))).collect::<Vec<u64>>();
        operands.iter().map(|tile| Tile::from_bits(tile.kind(), &bits(tile))).collect()
    }

    fn apply<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        elements: &Row,
        accumulators: &Row,
    ) -> RunResult<Row> {
        interpreter.combine(self.fold, elements.clone(), accumulators.clone(), self.places.len())
    }

    fn grouping<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        operands: &[Tile],
    ) -> RunResult<Option<Box<Fault>>> {
        let [a, b, c] = [0, 1, 2].map(|distance| self.row(operands, distance));
        let (ab, bc) = (self.apply(interpreter, &b, &a)?, self.apply(interpreter, &c, &b)?);
        let (left, right) = (self.apply(interpreter, &c, &ab)?, self.apply(interpreter, &bc, &a)?);
        let differs = |index: &usize| self.differ(&left, &right, &[&a, &b, &c, &ab, &bc], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let elements = [&a, &b, &c].map(|row| self.shown(row, index));
            not_associative::grouping(elements, &self.shown(&left, index), &self.shown(&right, index))
        }))
    }

    /// Whether the order of two elements matters. A scan keeps them in order.
    fn order<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        operands: &[Tile],
    ) -> RunResult<Option<Box<Fault>>> {
        if self.fold.is_scan() {
            return Ok(None);
        }
        let a = self.row(operands, 0);
        for distance in (0..usize::BITS).map(|power| 1 << power).take_while(|&distance| distance < self.extent) {
            let b = self.row(operands, distance);
            let (ab, ba) = (self.apply(interpreter, &b, &a)?, self.apply(interpreter, &a, &b)?);
            let differs = |index: &usize| self.differ(&ab, &ba, &[&a, &b], *index);
            if let Some(index) = (0..self.places.len()).find(differs) {
                let elements = [&a, &b].map(|row| self.shown(row, index));
                let fault = not_associative::order(elements, &self.shown(&ab, index), &self.shown(&ba, index));
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    /// Whether the identity of a single operand changes an element. Those of several operands can be an identity only
    /// together.
    fn identity<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        operands: &[Tile],
    ) -> RunResult<Option<Box<Fault>>> {
        let [identity] = self.fold.identities() else { return Ok(None) };
        let element = self.row(operands, 0);
        let wide = vec![Tile::from_bits(identity.kind(), &vec![identity.bits(0); self.places.len()])];
        let combined = self.apply(interpreter, &element, &wide)?;
        let differs = |index: &usize| self.differ(&combined, &element, &[&element], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let shown = |row: &Row| self.shown(row, index);
            not_associative::identity(&shown(&wide), &shown(&element), &shown(&combined))
        }))
    }

    /// Whether two results differ by more than rounding explains, given their inputs.
    fn differ(&self, a: &Row, b: &Row, from: &[&Row], index: usize) -> bool {
        let elements = self.fold.elements();
        let floats = |row: &Row| -> Vec<f64> {
            let numbers = elements.iter().zip(row).filter(|(tile, _)| tile.element.is_float());
            numbers.map(|(tile, bits)| decode(tile.element, bits.bits(index))).collect()
        };
        let around: Vec<f64> = from.iter().chain(&[a, b]).flat_map(|row| floats(row)).collect();
        if around.iter().any(|number| !number.is_finite()) {
            return false;
        }
        let scale = around.iter().fold(0.0, |scale: f64, number| scale.max(number.abs()));
        elements.iter().zip(a.iter().zip(b)).any(|(tile, (a, b))| {
            let (a, b) = (a.bits(index), b.bits(index));
            match tile.element {
                element if element.is_float() && tile.pointee.is_none() => {
                    (decode(element, a) - decode(element, b)).abs() > tolerance(element, scale)
                }
                _ => a != b,
            }
        })
    }

    fn shown(&self, row: &Row, index: usize) -> String {
        shown_together(self.fold.elements(), row, index)
    }
}
