//! Tiles whose elements are at even distances, such as `iota`, what is added to it, and pointers to neighbours. Most
//! tiles of indices and pointers are such, and an op on a few numbers does for all their elements, and for the same tile in
//! the tile blocks that follow: see `wide`.
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

/// Tells how the result of an op is held.
pub(in crate::cpu) type Rule = Box<dyn Fn(&[Line]) -> Option<Line> + Send + Sync>;

/// Makes the rule of an op.
type Ruler = fn(&Site<'_>) -> Rule;

/// The ops that compute.
static RULES: &[(M, Ruler)] = &[
    (M::Addi, |_| Box::new(|lines| Some(lines[0].plus(lines[1], 1)))),
    (M::Broadcast, broadcast),
    (M::Cmpi, cmpi),
    (M::Exti, exti),
    (M::Muli, |_| Box::new(|lines| lines[0].times(lines[1]))),
    (M::Offset, offset),
    (M::Reshape, |_| Box::new(|lines| Some(lines[0]))),
    (M::Subi, |_| Box::new(|lines| Some(lines[0].plus(lines[1], u64::MAX)))),
];

/// How the result of an op is held, where there is a rule for it.
pub(in crate::cpu) fn rule(site: &Site<'_>) -> Option<Rule> {
    let (_, rule) = RULES.iter().find(|(op, _)| *op == site.op.op)?;
    Some(rule(site))
}

/// The short way of an op, if it has one.
fn short(site: &Site<'_>) -> Option<Short> {
    match site.op.op {
        M::LoadPtrTko => return Some(load_store::load_row(site)),
        M::StorePtrTko => return Some(load_store::store_row(site)),
        _ => {}
    }
    let (rule, kind) = (rule(site)?, site.result(0).kind);
    Some(Box::new(move |_, inputs, results| {
        let line = |input: &Value| Line::of(input.tile());
        let result = match inputs {
            [a, b] => rule(&[line(a)?, line(b)?]),
            [a] => rule(&[line(a)?]),
            _ => None,
        };
        results.push(result?.tile(kind)?.into());
        Some(Ok(()))
    }))
}

/// Makes the kernel of an op take even operands, where it has a use for them. Tells whether it does.
pub(in crate::cpu) fn plan(site: &Site<'_>, general: Kernel) -> (Kernel, bool) {
    let Some(short) = short(site).filter(|_| site.unseen) else { return (general, false) };
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
    let line = Line { step: 1, count: tile.count, ..Line::number(0) };
    (tile.kind != Kind::Bool && tile.count > 1).then(|| line.tile(tile.kind)).flatten()
}

/// What a tile holds in one tile block, `first`, `first + step`, …, and in those that follow, each time `stride` more. The low
/// bits count.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Line {
    first: u64,
    step: u64,
    /// How many elements there are; 1 where all are equal, whatever their number.
    count: usize,
    /// How far each element is from that of the tile block before.
    pub(in crate::cpu) stride: u64,
    /// How many tile blocks there are; 1 where it is the same in all.
    blocks: u64,
}

impl Line {
    fn number(first: u64) -> Line {
        Line { first, step: 0, count: 1, stride: 0, blocks: 1 }
    }

    /// How a tile is held, if not one by one.
    pub(in crate::cpu) fn of(tile: &Tile) -> Option<Line> {
        with_kind!(tile.kind(), T => match T::held(tile) {
            Elements::One(all) => Some(Line::number(all.bits())),
            Elements::Even(Even { first, step, count }) => {
                Some(Line { step: step.bits(), count: *count, ..Line::number(first.bits()) })
            }
            _ => None,
        })
    }

    /// This tile in so many tile blocks, each `stride` further than the one before.
    pub(in crate::cpu) fn across(self, stride: u64, blocks: u64) -> Line {
        if stride == 0 { self } else { Line { stride, blocks, ..self } }
    }

    /// The same in a later tile block.
    pub(in crate::cpu) fn later(self, blocks: u64) -> Line {
        Line { first: self.first.wrapping_add(self.stride.wrapping_mul(blocks)), stride: 0, blocks: 1, ..self }
    }

    /// The tile in the first tile block.
    pub(in crate::cpu) fn tile(self, kind: Kind) -> Option<Tile> {
        let Line { first, step, count, .. } = self;
        if count == 1 {
            return Some(Tile::splat(kind, first));
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
        let sum = |own: u64, other: u64| own.wrapping_add(other.wrapping_mul(factor));
        Line {
            first: sum(self.first, other.first),
            step: sum(self.step, other.step),
            count: self.count.max(other.count),
            stride: sum(self.stride, other.stride),
            blocks: self.blocks.max(other.blocks),
        }
    }

    fn is_number(self) -> bool {
        (self.step, self.stride) == (0, 0)
    }

    /// The product with a number.
    fn times(self, other: Line) -> Option<Line> {
        let (line, factor) = if other.is_number() { (self, other) } else { (other, self) };
        let [first, step, stride] = [line.first, line.step, line.stride].map(|part| part.wrapping_mul(factor.first));
        let (count, blocks) = (self.count.max(other.count), self.blocks.max(other.blocks));
        factor.is_number().then_some(Line { first, step, count, stride, blocks })
    }

    /// The least and the greatest number, if those between them lie between them: nothing wraps around.
    fn ends<T: Int>(self, signed: bool) -> Option<(i128, i128)> {
        let part = |part: u64, times: i128| i128::from(T::low(part).signed()) * times;
        let first = if signed { part(self.first, 1) } else { i128::from(T::low(self.first).unsigned()) };
        let (lanes, blocks) = (part(self.step, self.count as i128 - 1), part(self.stride, i128::from(self.blocks) - 1));
        let least = first + lanes.min(0) + blocks.min(0);
        let greatest = first + lanes.max(0) + blocks.max(0);
        let low = if signed { -1 << (T::WIDTH - 1) } else { 0 };
        (low <= least && greatest < low + (1 << T::WIDTH)).then_some((least, greatest))
    }

    /// Whether nothing wraps around, where it is read as unsigned: each block's numbers are then as far from those of the one
    /// before as they say.
    pub(in crate::cpu) fn is_straight(self, kind: Kind) -> bool {
        let ends = match kind {
            Kind::Bool => self.ends::<bool>(false),
            Kind::Byte => self.ends::<u8>(false),
            Kind::Half => self.ends::<u16>(false),
            Kind::Word => self.ends::<u32>(false),
            Kind::Long => self.ends::<u64>(false),
            Kind::Single | Kind::Double => None,
        };
        ends.is_some()
    }
}

fn even<T: Word>(first: u64, step: u64, count: usize) -> Elements<T> {
    Elements::Even(Even { first: T::of_bits(first), step: T::of_bits(step), count })
}

fn broadcast(site: &Site<'_>) -> Rule {
    let same = site.operand("source").count == site.result(0).count;
    Box::new(move |lines| (same || lines[0].count == 1).then_some(lines[0]))
}

fn offset(site: &Site<'_>) -> Rule {
    let size = site.result(0).pointee.map_or(1, Element::bytes) as u64;
    with_int!(site.operand("offset").element, T => Box::new(move |lines| {
        let by = lines[1];
        // What wraps around does so before it is widened.
        let (least, greatest) = by.ends::<T>(true)?;
        let pointers = lines[0].ends::<u64>(false)?;
        let fits = |bytes: i128, pointer: i128| i64::try_from(bytes).is_ok() && u64::try_from(pointer + bytes).is_ok();
        let [least, greatest] = [least, greatest].map(|by| by * i128::from(size));
        if !fits(least, pointers.0) || !fits(greatest, pointers.1) {
            return None;
        }
        let [first, step, stride] = [by.first, by.step, by.stride].map(|number| T::low(number).signed() as u64);
        Some(lines[0].plus(Line { first, step, stride, ..by }, size))
    }))
}

fn exti(site: &Site<'_>) -> Rule {
    let signed = site.signed("signedness");
    let (from, to) = (site.operand("from").element, site.result(0).element);
    if [from, to].contains(&Element::I4) {
        // They are held in more bits than they have.
        return Box::new(|_| None);
    }
    with_int!(from, T => Box::new(move |lines| {
        let line = lines[0];
        // What wraps around does so before it is widened.
        line.ends::<T>(signed)?;
        let first = T::low(line.first);
        let first = if signed { first.signed() as u64 } else { first.unsigned() };
        let [step, stride] = [line.step, line.stride].map(|part| T::low(part).signed() as u64);
        Some(Line { first, step, stride, ..line })
    }))
}

fn cmpi(site: &Site<'_>) -> Rule {
    let (signed, predicate) = (site.signed("signedness"), site.choice("comparison_predicate"));
    with_int!(site.operand("lhs").element, T => Box::new(move |lines| {
        let (a, b) = (lines[0].ends::<T>(signed)?, lines[1].ends::<T>(signed)?);
        let (below, not_above) = (certain(a.1 < b.0, a.0 >= b.1), certain(a.1 <= b.0, a.0 > b.1));
        let all = match predicate {
            0 => certain(false, a.1 < b.0 || b.1 < a.0),
            1 => certain(a.1 < b.0 || b.1 < a.0, false),
            2 => below,
            3 => not_above,
            4 => not_above.map(|not_above| !not_above),
            _ => below.map(|below| !below),
        };
        Some(Line::number(all?.into()))
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
