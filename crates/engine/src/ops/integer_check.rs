//! Preconditions on single integers: overflow flags and shift amounts.

use crate::findings::{at_element, integer_overflow, shift_too_far};
use crate::ops::context::OpContext;
use crate::ops::integer::{Int, with_int};
use crate::ops::precondition::Precondition;
use crate::simd;
use crate::values::tile::{Scalar, Tile, at};
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_dialect::{AttrName, Mnemonic as M, overflow};

/// The op's overflow flag, if it has one.
pub(crate) fn overflow(cx: &OpContext<'_>) -> Option<Precondition> {
    let &Attr::Enum(flag) = cx.attr(AttrName::Overflow) else { return None };
    Some(match cx.op.op {
        _ if flag == 0 => return None,
        M::Addi => exactly(cx, flag, |a, b| a + b),
        M::Subi => exactly(cx, flag, |a, b| a - b),
        M::Muli => exactly(cx, flag, i128::saturating_mul),
        M::Negi => exactly(cx, flag, |a, _| -a),
        // A shift is a multiplication. Its amount is a separate precondition.
        M::Shli => exactly(cx, flag, |a, b| if (0..64).contains(&b) { a << b } else { 0 }),
        _ => return None,
    })
}

/// Shift amounts are less than the width.
pub(crate) fn shift(cx: &OpContext<'_>) -> Option<Precondition> {
    let tile = cx.result(0);
    let width = u64::from(tile.element.bits());
    let broken = move |inputs: &[Value]| -> Tile {
        with_int!(tile.element, T => simd::map(inputs[1].tile(), |amount: T| amount.unsigned() >= T::WIDTH.into()))
    };
    let shape = tile.shape;
    let fault = move |inputs: &[Value], index: usize| {
        shift_too_far::fault(inputs[1].tile().bits(index), width, &at_element(index, &shape))
    };
    Some(Precondition::late(broken, fault))
}

/// The precondition that the result is that of unlimited precision.
fn exactly(
    cx: &OpContext<'_>,
    flag: u8,
    exact: impl Fn(i128, i128) -> i128 + Copy + Send + Sync + 'static,
) -> Precondition {
    let (tile, is_shift) = (cx.result(0), cx.op.op == M::Shli);
    let broken = move |inputs: &[Value]| -> Tile {
        let (a, b) = both(inputs);
        with_int!(tile.element, T => simd::zip(a, b, |a: T, b: T| {
            !(is_shift && b.unsigned() >= T::WIDTH.into()) && excess(a, b, flag, exact).is_some()
        }))
    };
    let shape = tile.shape.clone();
    let fault = move |inputs: &[Value], index: usize| {
        let (a, b) = both(inputs);
        with_int!(tile.element, T => {
            let value = excess(at(T::of(a), index), at(T::of(b), index), flag, exact);
            integer_overflow::fault(value.unwrap_or(0), T::WIDTH, flag, &at_element(index, &shape))
        })
    };
    Precondition::strict(broken, fault)
}

/// The operands of a binary op, or the operand of a unary op twice.
fn both(inputs: &[Value]) -> (&Tile, &Tile) {
    let second = inputs.get(1).unwrap_or(&inputs[0]);
    (inputs[0].tile(), second.tile())
}

/// The exact result, if it does not fit.
#[inline(always)]
fn excess<T: Int>(a: T, b: T, flag: u8, exact: impl Fn(i128, i128) -> i128) -> Option<i128> {
    let signed = exact(a.signed().into(), b.signed().into());
    if flag & overflow::NO_SIGNED_WRAP != 0 && i128::from(T::low(signed as u64).signed()) != signed {
        return Some(signed);
    }
    let unsigned = exact(a.unsigned().into(), b.unsigned().into());
    let wraps = flag & overflow::NO_UNSIGNED_WRAP != 0 && i128::from(T::low(unsigned as u64).unsigned()) != unsigned;
    wraps.then_some(unsigned)
}
