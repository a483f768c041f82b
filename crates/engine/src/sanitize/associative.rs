//! Checks, on samples, whether the function of a reduction or a scan depends on the grouping of elements, and that of a
//! reduction on their order. The samples are elements, and elements with results.

use crate::exec::fold::Fold;
use crate::exec::instrumentation::Instrumentation;
use crate::exec::interpreter::{Interpreter, RunResult};
use crate::findings::{Fault, not_associative};
use crate::sanitize::identity::{alike, shown_together};
use crate::values::tile::Tile;
use tile_analysis::number::decode;

/// The number of positions whose elements are tried at once.
const AT_ONCE: usize = 64;
/// The number of positions that are tried if each needs a separate run.
const ONE_BY_ONE: usize = 8;
/// The number of positions whose elements are combined with results.
const WITH_RESULTS: usize = 512;
/// The longest row whose elements are all combined with its result.
const LONGEST_ROW: usize = 1 << 16;

/// Elements of all operands at some positions.
type Row = Vec<Tile>;

/// Tries the function of a reduction or a scan on elements of its operands; `Some` if the grouping, the order or the
/// identity matters. In a row of at most 64 elements, all pairs are tried.
pub(crate) fn examine<'a, I: Instrumentation<'a>>(
    fold: &Fold,
    interpreter: &mut Interpreter<'a, I>,
    operands: &[Tile],
) -> Option<Box<Fault>> {
    in_trials(fold, interpreter, [AT_ONCE; 2], |trial, interpreter| {
        // If the function fails, the actual run reports it.
        let found = |tried: RunResult<Option<Box<Fault>>>| tried.ok().flatten();
        found(trial.grouping(interpreter, operands))
            .or_else(|| found(trial.order(interpreter, operands)))
            .or_else(|| found(trial.identity(interpreter, operands)))
    })
}

/// Tries the function on elements and the results that were computed from them. For example, a rule for equal elements
/// often matters only for those that equal the result.
pub(crate) fn examine_results<'a, I: Instrumentation<'a>>(
    fold: &Fold,
    interpreter: &mut Interpreter<'a, I>,
    operands: &[Tile],
    results: &[Tile],
) -> Option<Box<Fault>> {
    in_trials(fold, interpreter, [WITH_RESULTS, LONGEST_ROW], |trial, interpreter| {
        let result = trial.results(results);
        let [next, other] = [1, 2].map(|distance| trial.row(operands, distance));
        let grouping = trial.associates(interpreter, [&result, &next, &other]).ok().flatten();
        grouping.or_else(|| trial.commutes(interpreter, [&result, &next]).ok().flatten())
    })
}

/// Calls `find` with positions until it finds something: those of whole rows, unless a row is longer than `longest`,
/// and otherwise positions that are spread over the operands.
fn in_trials<'a, I: Instrumentation<'a>>(
    fold: &Fold,
    interpreter: &mut Interpreter<'a, I>,
    [at_once, longest]: [usize; 2],
    find: impl Fn(&Trial<'_>, &mut Interpreter<'a, I>) -> Option<Box<Fault>>,
) -> Option<Box<Fault>> {
    let (outer, extent, inner) = fold.extents();
    let rows = outer * inner;
    if extent < 2 || rows == 0 {
        return None;
    }
    let places: Vec<usize> = if fold.has_lanes() && extent <= longest {
        let count = rows.min((at_once / extent).max(1));
        let starts = (0..count).map(|index| index * rows / count).map(|row| row / inner * extent * inner + row % inner);
        starts.flat_map(|start| (0..extent).map(move |place| start + place * inner)).collect()
    } else {
        let total = rows * extent;
        let count = total.min(if fold.has_lanes() { at_once } else { ONE_BY_ONE });
        (0..count).map(|index| index * total / count).collect()
    };
    let groups: Vec<&[usize]> = if fold.has_lanes() { vec![&places] } else { places.chunks(1).collect() };
    // A trial is not reported, and no deferred op runs in it.
    let instruments = interpreter.instrumentation.instruments_mut();
    let aside = instruments.map(|all| (all.watcher.take(), all.schedule.take()));
    let found = groups.into_iter().find_map(|places| find(&Trial { fold, places, extent, inner }, interpreter));
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

    /// The results for the rows of the positions: those of a reduction, or of a scan up to each position.
    fn results(&self, results: &[Tile]) -> Row {
        let index = |place: usize| {
            if self.fold.is_scan() { place } else { place / self.inner / self.extent * self.inner + place % self.inner }
        };
        let bits = |tile: &Tile| self.places.iter().map(|&place| tile.bits(index(place))).collect::<Vec<u64>>();
        results.iter().map(|tile| Tile::from_bits(tile.kind(), &bits(tile))).collect()
    }

    /// The distances at which elements are tried: all in a short row, powers of two in a long one.
    fn distances(&self) -> Vec<usize> {
        let most = self.extent / 2;
        if self.fold.has_lanes() && self.extent <= AT_ONCE {
            (1..=most).collect()
        } else {
            (0..usize::BITS).map(|power| 1 << power).take_while(|&distance| distance <= most).collect()
        }
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
        for distance in self.distances() {
            let [a, b, c] = [0, distance, 2 * distance].map(|distance| self.row(operands, distance));
            let found = self.associates(interpreter, [&a, &b, &c])?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whether the grouping of three elements matters.
    fn associates<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        [a, b, c]: [&Row; 3],
    ) -> RunResult<Option<Box<Fault>>> {
        let (ab, bc) = (self.apply(interpreter, b, a)?, self.apply(interpreter, c, b)?);
        let (left, right) = (self.apply(interpreter, c, &ab)?, self.apply(interpreter, &bc, a)?);
        let differs = |index: &usize| self.differ(&left, &right, &[a, b, c], &[&ab, &bc], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let elements = [a, b, c].map(|row| self.shown(row, index));
            not_associative::grouping(elements, &self.shown(&left, index), &self.shown(&right, index))
        }))
    }

    fn order<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        operands: &[Tile],
    ) -> RunResult<Option<Box<Fault>>> {
        let a = self.row(operands, 0);
        for distance in self.distances() {
            let found = self.commutes(interpreter, [&a, &self.row(operands, distance)])?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whether the order of two elements matters. A scan keeps them in order.
    fn commutes<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        [a, b]: [&Row; 2],
    ) -> RunResult<Option<Box<Fault>>> {
        if self.fold.is_scan() {
            return Ok(None);
        }
        let (ab, ba) = (self.apply(interpreter, b, a)?, self.apply(interpreter, a, b)?);
        let differs = |index: &usize| self.differ(&ab, &ba, &[a, b], &[], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let elements = [a, b].map(|row| self.shown(row, index));
            not_associative::order(elements, &self.shown(&ab, index), &self.shown(&ba, index))
        }))
    }

    /// Whether the identity changes an element. Those of several operands are an identity together: the index of a
    /// maximum can be any, since it belongs to a value that loses.
    fn identity<'a, I: Instrumentation<'a>>(
        &self,
        interpreter: &mut Interpreter<'a, I>,
        operands: &[Tile],
    ) -> RunResult<Option<Box<Fault>>> {
        let element = self.row(operands, 0);
        let repeated = |one: &Tile| Tile::from_bits(one.kind(), &vec![one.bits(0); self.places.len()]);
        let wide: Row = self.fold.identities().iter().map(repeated).collect();
        let combined = self.apply(interpreter, &element, &wide)?;
        // Padding often equals the identity except for its index. It may become the identity: each result is compared
        // with and without the identity, so it is known whether one depends on that.
        let ties = |index: usize| {
            let is_same = |(a, b): (&Tile, &Tile)| a.bits(index) == b.bits(index);
            element.iter().zip(&wide).next().is_some_and(is_same) && combined.iter().zip(&wide).all(is_same)
        };
        let differs = |index: &usize| self.differ(&combined, &element, &[&element], &[], *index) && !ties(*index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let shown = |row: &Row| self.shown(row, index);
            not_associative::identity(&shown(&wide), &shown(&element), &shown(&combined))
        }))
    }

    /// Whether two results differ by more than rounding explains, given the elements that they were computed from and
    /// the intermediate results. Infinities explain any difference: a sum can overflow in one order only.
    fn differ(&self, a: &Row, b: &Row, elements: &[&Row], between: &[&Row], index: usize) -> bool {
        let floats = |row: &Row| -> Vec<f64> {
            let numbers = self.fold.elements().iter().zip(row).filter(|(tile, _)| tile.element.is_float());
            numbers.map(|(tile, bits)| decode(tile.element, bits.bits(index))).collect()
        };
        let involves_nan = elements.iter().any(|row| floats(row).iter().any(|number| number.is_nan()));
        let all: Vec<f64> = elements.iter().chain(between).chain(&[a, b]).flat_map(|row| floats(row)).collect();
        if !involves_nan && all.iter().any(|number| !number.is_finite()) {
            return false;
        }
        let finite = all.iter().filter(|number| number.is_finite());
        let scale = finite.fold(0.0, |scale: f64, number| scale.max(number.abs()));
        let mut pairs = self.fold.elements().iter().zip(a.iter().zip(b));
        pairs.any(|(tile, (a, b))| !alike(tile, a.bits(index), b.bits(index), scale))
    }

    fn shown(&self, row: &Row, index: usize) -> String {
        shown_together(self.fold.elements(), row, index)
    }
}
