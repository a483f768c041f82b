//! Tiles whose elements are at even distances, such as `iota`, what is added to it, and pointers to neighbours. Most
//! tiles of indices and pointers are such, and an op on two numbers does for all their elements.
//!
//! Each function here tells the result of an op from how its operands are held, or gives `None` where that is not
//! possible: the general kernel then gets the elements one by one. Integers are taken as numbers of 64 bits whose low
//! bits count.

use super::integer::{Int, with_int};
use super::load_store;
use crate::cpu::kernel::{Context, Kernel, Outcome};
use crate::cpu::reuse::{Elements, Even};
use crate::cpu::site::{Site, Tiled};
use crate::cpu::tile::{Kind, Tile, Word, with_kind};
use crate::cpu::value::Value;
use tile_dialect::{Element, Mnemonic as M};

/// Runs an op on operands some of which are even, if it can.
pub(super) type Short = Box<dyn Fn(&Context<'_>, &mut [Value], &mut Vec<Value>) -> Option<Outcome<()>> + Send + Sync>;

/// Makes the short way of an op.
type Planner = fn(&Site<'_>) -> Short;

static OPS: &[(M, Planner)] = &[
    (M::Addi, |site| arithmetic(site, |a, b| Some(a.plus(b, 1)))),
    (M::Broadcast, broadcast),
    (M::Cmpi, cmpi),
    (M::LoadPtrTko, load_store::load_row),
    (M::Muli, |site| arithmetic(site, Line::times)),
    (M::Offset, offset),
    (M::Reshape, |_| Box::new(|_, inputs, results| hand_on(inputs, results))),
    (M::StorePtrTko, load_store::store_row),
    (M::Subi, |site| arithmetic(site, |a, b| Some(a.plus(b, u64::MAX)))),
];

/// Makes the kernel of an op take even operands, where it has a use for them. Tells whether it does.
pub(in crate::cpu) fn plan(site: &Site<'_>, general: Kernel) -> (Kernel, bool) {
    let found = OPS.iter().find(|(op, _)| *op == site.op.op).filter(|_| site.unseen);
    let Some((_, short)) = found else { return (general, false) };
    let short = short(site);
    let kernel: Kernel = Box::new(move |context, inputs, results| {
        if inputs.iter().any(Value::is_even) {
            if let Some(outcome) = short(context, inputs, results) {
                return outcome;
            }
            inputs.iter_mut().for_each(Value::expand);
        }
        general(context, inputs, results)
    });
    (kernel, true)
}

/// The tile 0, 1, 2, … of a type, unless it has a single element or elements of one bit.
pub(super) fn iota(tile: &Tiled) -> Option<Tile> {
    let line = Line { first: 0, step: 1, count: tile.count };
    (tile.kind != Kind::Bool).then(|| line.tile(tile.kind)).flatten()
}

/// What a tile holds: `first`, `first + step`, … of which the low bits count.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) first: u64,
    pub(super) step: u64,
    /// How many there are; 1 where all are equal, whatever their number.
    count: usize,
}

impl Line {
    /// How a tile is held, if not one by one.
    pub(super) fn of(tile: &Tile) -> Option<Line> {
        with_kind!(tile.kind(), T => match T::held(tile) {
            Elements::One(all) => Some(Line { first: all.bits(), step: 0, count: 1 }),
            Elements::Even(Even { first, step, count }) => {
                Some(Line { first: first.bits(), step: step.bits(), count: *count })
            }
            _ => None,
        })
    }

    fn tile(self, kind: Kind) -> Option<Tile> {
        let Line { first, step, count } = self;
        if count < 2 {
            return None;
        }
        Some(match kind {
            Kind::Byte => Tile::Byte(even(first, step, count)),
            Kind::Half => Tile::Half(even(first, step, count)),
            Kind::Word => Tile::Word(even(first, step, count)),
            Kind::Long => Tile::Long(even(first, step, count)),
            Kind::Bool | Kind::Single | Kind::Double => return None,
        })
    }

    /// This line and `factor` times another.
    fn plus(self, other: Line, factor: u64) -> Line {
        Line {
            first: self.first.wrapping_add(other.first.wrapping_mul(factor)),
            step: self.step.wrapping_add(other.step.wrapping_mul(factor)),
            count: self.count.max(other.count),
        }
    }

    /// The product with a number.
    fn times(self, other: Line) -> Option<Line> {
        let (line, factor) = if other.step == 0 { (self, other.first) } else { (other, self.first) };
        let is_number = self.step == 0 || other.step == 0;
        let (first, step) = (line.first.wrapping_mul(factor), line.step.wrapping_mul(factor));
        is_number.then_some(Line { first, step, count: self.count.max(other.count) })
    }

    /// The first and the last number, if those between them lie between them: nothing wraps around.
    fn ends<T: Int>(self, signed: bool) -> Option<(i128, i128)> {
        let (first, step) = (T::low(self.first), i128::from(T::low(self.step).signed()));
        let first = if signed { first.signed().into() } else { i128::from(first.unsigned()) };
        let last = first + step * (self.count as i128 - 1);
        let low = if signed { -1 << (T::WIDTH - 1) } else { 0 };
        (low..low + (1 << T::WIDTH)).contains(&last).then_some((first, last))
    }
}

fn even<T: Word>(first: u64, step: u64, count: usize) -> Elements<T> {
    Elements::Even(Even { first: T::of_bits(first), step: T::of_bits(step), count })
}

fn lines(inputs: &[Value]) -> Option<(Line, Line)> {
    Some((Line::of(inputs[0].tile())?, Line::of(inputs[1].tile())?))
}

fn arithmetic(site: &Site<'_>, f: fn(Line, Line) -> Option<Line>) -> Short {
    let kind = site.result(0).kind;
    Box::new(move |_, inputs, results| {
        let (a, b) = lines(inputs)?;
        results.push(f(a, b)?.tile(kind)?.into());
        Some(Ok(()))
    })
}

/// The operand itself is the result.
fn hand_on(inputs: &mut [Value], results: &mut Vec<Value>) -> Option<Outcome<()>> {
    results.push(std::mem::replace(&mut inputs[0], Value::Token));
    Some(Ok(()))
}

fn broadcast(site: &Site<'_>) -> Short {
    let same = site.operand("source").count == site.result(0).count;
    Box::new(move |_, inputs, results| if same { hand_on(inputs, results) } else { None })
}

fn offset(site: &Site<'_>) -> Short {
    let size = site.result(0).pointee.map_or(1, Element::bytes) as u64;
    with_int!(site.operand("offset").element, T => Box::new(move |_, inputs, results| {
        let (pointers, by) = lines(inputs)?;
        // What wraps around does so before it is widened.
        by.ends::<T>(true)?;
        let [first, step] = [by.first, by.step].map(|number| T::low(number).signed() as u64);
        let by = Line { first, step, count: by.count };
        results.push(pointers.plus(by, size).tile(Kind::Long)?.into());
        Some(Ok(()))
    }))
}

fn cmpi(site: &Site<'_>) -> Short {
    let (signed, predicate) = (site.signed("signedness"), site.choice("comparison_predicate"));
    with_int!(site.operand("lhs").element, T => Box::new(move |_, inputs, results| {
        let (a, b) = lines(inputs)?;
        let (a, b) = (a.ends::<T>(signed)?, b.ends::<T>(signed)?);
        let (a, b) = ((a.0.min(a.1), a.0.max(a.1)), (b.0.min(b.1), b.0.max(b.1)));
        let (below, not_above) = (certain(a.1 < b.0, a.0 >= b.1), certain(a.1 <= b.0, a.0 > b.1));
        let all = match predicate {
            0 => certain(false, a.1 < b.0 || b.1 < a.0),
            1 => certain(a.1 < b.0 || b.1 < a.0, false),
            2 => below,
            3 => not_above,
            4 => not_above.map(|not_above| !not_above),
            _ => below.map(|below| !below),
        };
        results.push(Tile::splat(Kind::Bool, all?.into()).into());
        Some(Ok(()))
    }))
}

/// What holds for all elements, if anything does.
fn certain(all: bool, none: bool) -> Option<bool> {
    if all { Some(true) } else { none.then_some(false) }
}

/// The address of the first of neighbours that an op without a mask, or with one that is true for all, reaches: elements
/// of so many bytes.
pub(super) fn neighbours(pointers: &Value, mask: Option<&Value>, size: usize) -> Option<u64> {
    let taking = mask.is_none_or(|mask| matches!(mask.tile(), Tile::Bool(Elements::One(true))));
    let line = Line::of(pointers.tile())?;
    (taking && line.step == size as u64).then_some(line.first)
}
