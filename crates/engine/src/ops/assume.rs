//! `assume` passes its value on; sanitized runs check the [`Assumption`].

use crate::findings::{at_element, broken_assumption as broken, coordinates};
use crate::memory::Memory;
use crate::memory::unit::Unit;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::kernel::{Kernel, OpResult, hand_on};
use crate::values::tile::{Tile, at};
use crate::values::value::Value;
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Attr, Predicate};
use tile_analysis::number::decode_int;
use tile_analysis::types::Type;
use tile_dialect::{AttrName, Element, OperandName};

/// The assumption is trusted, as on GPUs; only sanitized runs check it.
pub(crate) fn plan(_: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(hand_on(|_| 0))
}

/// A check of the elements of a value. The second argument marks the elements to skip, which are unspecified, with
/// nonzero numbers.
pub(crate) type Assumption = Box<dyn Fn(&Value, &[u32], &Memory) -> OpResult<()> + Send + Sync>;

/// The marks of a value whose elements are all specified.
pub(crate) const SPECIFIED: &[u32] = &[0];

/// The assumption of an `assume`.
pub(crate) fn assumption(cx: &OpContext<'_>) -> Option<Assumption> {
    let Attr::Predicate(predicate) = cx.attr(AttrName::Predicate) else { return None };
    let predicate = predicate.clone();
    let tile = Tiled::of(cx.operand_type(OperandName::Value));
    let pointee = pointee(cx.operand_type(OperandName::Value));
    Some(Box::new(move |value, marks, memory| match value {
        Value::Tile(value) => check(&predicate, &Marked { value, marks, tile: &tile, pointee, memory }),
        Value::View(view) => check_base(&predicate, pointee, view.base, memory),
        Value::Token => Ok(()),
    }))
}

/// The pointee type of a value; a byte for other values.
fn pointee(ty: Type) -> Element {
    let tile = || ty.as_tile().and_then(|tile| tile.pointee());
    let view = || ty.as_tensor_view().or_else(|| Some(ty.as_tile_view()?.tensor()));
    tile().or_else(|| Some(view()?.element)).unwrap_or(Element::I8)
}

/// A tile and the marks of its elements.
struct Marked<'a> {
    value: &'a Tile,
    marks: &'a [u32],
    tile: &'a Tiled,
    /// The pointee type, if it holds pointers.
    pointee: Element,
    memory: &'a Memory,
}

impl Marked<'_> {
    fn bits(&self, index: usize) -> u64 {
        self.value.bits(index)
    }

    /// A number, or the address of an element.
    fn shown(&self, bits: u64) -> String {
        let is_pointer = self.tile.pointee.is_some();
        if is_pointer { address(bits, self.pointee, self.memory) } else { number(self.tile, bits).to_string() }
    }

    fn is_divisible(&self, divisor: u64, index: usize) -> bool {
        divides(divisor, Unit::of(self.pointee), self.bits(index))
    }

    fn is_marked(&self, index: usize) -> bool {
        at(self.marks, index) != 0
    }

    /// The indices of the unmarked elements; only one if all elements are equal.
    fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let count = self.value.stored().max(self.marks.len());
        (0..count).filter(|&index| !self.is_marked(index))
    }
}

fn check(predicate: &Predicate, value: &Marked<'_>) -> OpResult<()> {
    match predicate {
        Predicate::Bounded(low, high) => bounded(*low, *high, value),
        Predicate::DivBy { divisor, every_along: None } => divisible(*divisor, value),
        Predicate::DivBy { divisor, every_along: Some((every, along)) } => groups(*divisor, *every, *along, value),
        Predicate::SameElements(sizes) => same_elements(sizes, value),
    }
}

fn check_base(predicate: &Predicate, element: Element, base: u64, memory: &Memory) -> OpResult<()> {
    match predicate {
        Predicate::DivBy { divisor, .. } if !divides(*divisor, Unit::of(element), base) => {
            Err(broken::base(*divisor, &address(base, element, memory)))
        }
        _ => Ok(()),
    }
}

fn address(pointer: u64, pointee: Element, memory: &Memory) -> String {
    format!("the address of `{}`", memory.place(pointer, pointee))
}

/// Divisors are powers of two, so reading a number as signed or unsigned makes no difference.
fn divides(divisor: u64, unit: Unit, bits: u64) -> bool {
    let divisor = if unit == Unit::Nibble { divisor.saturating_mul(2) } else { divisor };
    bits.checked_rem(divisor).is_none_or(|rest| rest == 0)
}

fn number(tile: &Tiled, bits: u64) -> i64 {
    decode_int(tile.element, bits)
}

fn bounded(low: Option<i64>, high: Option<i64>, value: &Marked<'_>) -> OpResult<()> {
    for index in value.indices() {
        let number = number(value.tile, value.bits(index));
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            return Err(broken::bounds(number, low, high, &at_element(index, &value.tile.shape)));
        }
    }
    Ok(())
}

fn divisible(divisor: u64, value: &Marked<'_>) -> OpResult<()> {
    let tile = value.tile;
    match value.indices().find(|&index| !value.is_divisible(divisor, index)) {
        None => Ok(()),
        Some(index) => Err(broken::divisor(divisor, value.shown(value.bits(index)), &at_element(index, &tile.shape))),
    }
}

/// The first element of each group is divisible and the others count up by one element.
fn groups(divisor: u64, every: i64, along: i64, value: &Marked<'_>) -> OpResult<()> {
    let tile = value.tile;
    let unit = tile.pointee.map_or(1, |element| element.bytes() as u64);
    let along = along as usize;
    let stride: usize = tile.extents()[along + 1..].iter().product();
    let mask = u64::MAX >> (64 - tile.element.bits());
    for index in (0..tile.count).filter(|&index| !value.is_marked(index)) {
        let place = coordinates(index, &tile.shape)[along];
        let inside = if every > 0 { place % every } else { 0 };
        let leader = index - inside as usize * stride;
        let expected = value.bits(leader).wrapping_add(inside as u64 * unit) & mask;
        let bits = value.bits(index);
        if inside == 0 && !value.is_divisible(divisor, index) {
            return Err(broken::divisor(divisor, value.shown(bits), &at_element(index, &tile.shape)));
        }
        if bits != expected && !value.is_marked(leader) {
            let (found, expected) = (value.shown(bits), value.shown(expected));
            return Err(broken::count(found, expected, every, along, &at_element(index, &tile.shape)));
        }
    }
    Ok(())
}

fn same_elements(sizes: &[i64], value: &Marked<'_>) -> OpResult<()> {
    if value.value.stored() == 1 {
        return Ok(());
    }
    let tile = value.tile;
    // The first unmarked element of each group, by the start of the group.
    let mut leaders: FxHashMap<i64, u64> = FxHashMap::default();
    for index in value.indices() {
        let place = coordinates(index, &tile.shape);
        let starts = place.iter().zip(sizes).map(|(place, size)| place - if *size > 0 { place % size } else { 0 });
        let group = starts.zip(&tile.shape).fold(0, |position, (start, extent)| position * extent + start);
        let (bits, leader) = (value.bits(index), *leaders.entry(group).or_insert(value.bits(index)));
        if bits != leader {
            let (found, expected) = (value.shown(bits), value.shown(leader));
            return Err(broken::group(found, expected, sizes, &at_element(index, &tile.shape)));
        }
    }
    Ok(())
}
