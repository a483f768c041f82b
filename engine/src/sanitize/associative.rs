//! Whether the function of a reduction or a scan depends on how elements are grouped, and that of a reduction on their
//! order: tried out on some of them.

use super::touch::shown;
use crate::findings::{Fault, not_associative};
use crate::fold::Fold;
use crate::machine::{Machine, Run};
use crate::site::Tiled;
use crate::tile::{Kind, Tile};
use rustc_hash::FxHashMap;
use tile_analysis::ir::OpId;
use tile_analysis::number::decode;
use tile_dialect::Element;

/// How often each reduction was looked at.
#[derive(Debug, Default)]
pub(crate) struct Samples(FxHashMap<OpId, u32>);

impl Samples {
    /// Whether a reduction shall be looked at once more.
    pub(crate) fn wanted(&mut self, op: OpId) -> bool {
        let count = self.0.entry(op).or_default();
        *count += 1;
        *count <= MOST_LOOKS
    }
}

/// The first runs of a reduction are looked at.
const MOST_LOOKS: u32 = 4;
/// How many groups of three elements are tried at once.
const AT_ONCE: usize = 64;
/// How many are tried where each takes a run of its own.
const ONE_BY_ONE: usize = 8;

/// Elements of all operands, at some places.
type Row = Vec<Tile>;

/// Tries the function of a reduction on elements of its operands; `Some` where the order matters.
pub(crate) fn examine(fold: &Fold, machine: &mut Machine<'_>, operands: &[Tile]) -> Option<Box<Fault>> {
    let (outer, extent, inner) = fold.extents();
    let total = outer * extent * inner;
    if extent < 2 || total == 0 {
        return None;
    }
    let most = if fold.has_lanes() { AT_ONCE } else { ONE_BY_ONE };
    let count = most.min(total);
    let spread: Vec<usize> = (0..count).map(|index| index * total / count).collect();
    let groups: Vec<&[usize]> = if fold.has_lanes() { vec![&spread] } else { spread.chunks(1).collect() };
    // Nobody is told of what a trial computes, and what was put off does not run in it.
    let aside = (machine.watcher.take(), machine.schedule.take());
    let found = groups.into_iter().find_map(|places| {
        let trial = Trial { fold, places, extent, inner };
        // A function that stops somewhere says so when it is run in earnest.
        let found = |tried: Run<Option<Box<Fault>>>| tried.ok().flatten();
        found(trial.grouping(machine, operands))
            .or_else(|| found(trial.order(machine, operands)))
            .or_else(|| found(trial.identity(machine, operands)))
    });
    (machine.watcher, machine.schedule) = aside;
    found
}

struct Trial<'a> {
    fold: &'a Fold,
    places: &'a [usize],
    extent: usize,
    inner: usize,
}

impl Trial<'_> {
    /// The elements so many places behind the first ones along the dimension, which is closed to a ring.
    fn row(&self, operands: &[Tile], distance: usize) -> Row {
        let moved = |place: usize| {
            let (step, inside) = (place / self.inner, place % self.inner);
            (step / self.extent * self.extent + (step % self.extent + distance) % self.extent) * self.inner + inside
        };
        let bits = |tile: &Tile| self.places.iter().map(|&place| tile.bits(moved(place))).collect::<Vec<u64>>();
        operands.iter().map(|tile| Tile::from_bits(tile.kind(), &bits(tile))).collect()
    }

    fn apply(&self, machine: &mut Machine<'_>, elements: &Row, accumulators: &Row) -> Run<Row> {
        self.fold.combine(machine, elements.clone(), accumulators.clone(), self.places.len())
    }

    fn grouping(&self, machine: &mut Machine<'_>, operands: &[Tile]) -> Run<Option<Box<Fault>>> {
        let [a, b, c] = [0, 1, 2].map(|distance| self.row(operands, distance));
        let (ab, bc) = (self.apply(machine, &b, &a)?, self.apply(machine, &c, &b)?);
        let (left, right) = (self.apply(machine, &c, &ab)?, self.apply(machine, &bc, &a)?);
        let differs = |index: &usize| self.differ(&left, &right, &[&a, &b, &c, &ab, &bc], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let elements = [&a, &b, &c].map(|row| self.shown(row, index));
            not_associative::grouping(elements, &self.shown(&left, index), &self.shown(&right, index))
        }))
    }

    /// Whether it matters which of two elements comes first. A scan keeps them in order.
    fn order(&self, machine: &mut Machine<'_>, operands: &[Tile]) -> Run<Option<Box<Fault>>> {
        if self.fold.is_scan() {
            return Ok(None);
        }
        let a = self.row(operands, 0);
        for distance in (0..usize::BITS).map(|power| 1 << power).take_while(|&distance| distance < self.extent) {
            let b = self.row(operands, distance);
            let (ab, ba) = (self.apply(machine, &b, &a)?, self.apply(machine, &a, &b)?);
            let differs = |index: &usize| self.differ(&ab, &ba, &[&a, &b], *index);
            if let Some(index) = (0..self.places.len()).find(differs) {
                let elements = [&a, &b].map(|row| self.shown(row, index));
                let fault = not_associative::order(elements, &self.shown(&ab, index), &self.shown(&ba, index));
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    /// Whether the identity of a single operand changes an element. Those of several may be the identity together.
    fn identity(&self, machine: &mut Machine<'_>, operands: &[Tile]) -> Run<Option<Box<Fault>>> {
        let [identity] = self.fold.identities() else { return Ok(None) };
        let element = self.row(operands, 0);
        let wide = vec![Tile::from_bits(identity.kind(), &vec![identity.bits(0); self.places.len()])];
        let combined = self.apply(machine, &element, &wide)?;
        let differs = |index: &usize| self.differ(&combined, &element, &[&element], *index);
        Ok((0..self.places.len()).find(differs).map(|index| {
            let shown = |row: &Row| self.shown(row, index);
            not_associative::identity(&shown(&wide), &shown(&element), &shown(&combined))
        }))
    }

    /// Whether two results differ by more than rounding explains, given what they were computed from.
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

/// Whether a result of a reduction or a scan differs with the identity from what it is without it; `Some` if one does.
/// Behind the tiles may be the origins of their elements: what is unspecified may differ.
pub(crate) fn identity_matters(fold: &Fold, without: &[Tile], with: &[Tile]) -> Option<Box<Fault>> {
    let elements = fold.elements();
    let is_specified = |index: usize| {
        let origins = without[elements.len()..].iter().chain(&with[elements.len()..]);
        origins.into_iter().all(|origins| bits_at(origins, index) == 0)
    };
    let differs = |index: &usize| {
        let mut pairs = elements.iter().zip(without.iter().zip(with));
        pairs.any(|(tile, (a, b))| !alike(tile, bits_at(a, *index), bits_at(b, *index))) && is_specified(*index)
    };
    let (outer, extent, inner) = fold.extents();
    let count = if fold.is_scan() { outer * extent * inner } else { outer * inner };
    let index = (0..count).find(differs)?;
    let shown = |row: &[Tile], index: usize| shown_together(elements, row, index);
    let place = if count == 1 { String::new() } else { format!(", in result {index} of {count}") };
    Some(not_associative::applied(&shown(fold.identities(), 0), &shown(without, index), &shown(with, index), &place))
}

fn bits_at(tile: &Tile, index: usize) -> u64 {
    tile.bits(if tile.stored() == 1 { 0 } else { index })
}

/// Whether two elements are the same but for rounding, the sign of a zero, and which NaN they are.
fn alike(tile: &Tiled, a: u64, b: u64) -> bool {
    if a == b || tile.pointee.is_some() || !tile.element.is_float() {
        return a == b;
    }
    let [x, y] = [a, b].map(|bits| decode(tile.element, bits));
    let scale = x.abs().max(y.abs());
    x == y || x.is_nan() && y.is_nan() || scale.is_finite() && (x - y).abs() <= tolerance(tile.element, scale)
}

/// Elements of all operands at one place.
fn shown_together(elements: &[Tiled], row: &[Tile], index: usize) -> String {
    let shown: Vec<String> = elements.iter().zip(row).map(|(tile, bits)| shown(tile, bits_at(bits, index))).collect();
    if shown.len() == 1 { shown.concat() } else { format!("({})", shown.join(", ")) }
}

/// How far apart results may lie that rounding makes differ, where the numbers that they come from are of this size.
/// Sums of squares cancel, so that the squares count too.
fn tolerance(element: Element, scale: f64) -> f64 {
    match Kind::of(element) {
        Kind::Double => 1e-6 * scale + 1e-13 * scale * scale,
        Kind::Single => 1e-3 * scale + 1e-5 * scale * scale,
        _ => 5e-2 * scale,
    }
}
