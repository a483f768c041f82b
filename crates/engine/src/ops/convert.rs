//! Conversions between element types.

use crate::findings::{at_element, float_to_int_range, integer_overflow};
use crate::memory::unit::Unit;
use crate::ops::chapter::Chapter;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::integer::{Int, with_int};
use crate::ops::kernel::{Kernel, OpResult, hand_on, map, map_same};
use crate::ops::precondition::Precondition;
use crate::simd;
use crate::simd::narrow::{brain_to_single, computed, half_to_single, narrowed_nan, single_to_brain, single_to_half};
use crate::values::pool::PoolElement;
use crate::values::tile::{Scalar, ScalarKind, Tile, at, with_kind};
use crate::values::value::Value;
use tile_analysis::number::{Rounding, decode, decode_int, encode_whole};
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, overflow, rounding};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Bitcast, bitcast),
        (M::Exti, exti),
        (M::Ftof, ftof),
        (M::Ftoi, ftoi),
        (M::IntToPtr, pointer),
        (M::Itof, itof),
        (M::PtrToInt, pointer),
        (M::PtrToPtr, pointer),
        (M::Trunci, trunci),
    ],
    elementwise: true,
};

/// Reinterprets a tile as another type.
fn same(_: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(hand_on(|_| 0))
}

/// Converts between pointers and addresses, and between pointer types.
fn pointer(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let unit = |tile: Tiled| tile.pointee.map_or(Unit::Byte, Unit::of);
    let (from, to) = (unit(cx.operand(OperandName::Source)), unit(cx.result(0)));
    if from == to {
        return same(cx);
    }
    Ok(map_same(move |pointer: u64| to.pointer(from.address(pointer))))
}

/// A kernel that computes the bits of each element from those of the operand's element.
fn convert(from: ScalarKind, to: ScalarKind, f: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static) -> Kernel {
    with_kind!(from, A => with_kind!(to, B => map(move |a: A| B::of_bits(f(a.bits())))))
}

fn bitcast(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::Source), cx.result(0));
    if from.kind == to.kind {
        return same(cx);
    }
    Ok(convert(from.kind, to.kind, |bits| bits))
}

fn exti(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0).element);
    let signed = cx.signed(AttrName::Signedness);
    Ok(match (from, to, signed) {
        // i1 is the only integer type narrower than i4.
        (_, Element::I4, _) => map(move |x: bool| if x && signed { 0xF } else { u8::from(x) }),
        (Element::I4, _, true) => with_int!(to, T => map(|x: u8| T::low(decode_int(Element::I4, x.into()) as u64))),
        (Element::I4, _, false) => with_int!(to, T => map(|x: u8| T::low((x & 0xF).into()))),
        (_, _, true) => with_int!(from, A => with_int!(to, B => map(|x: A| B::low(x.signed() as u64)))),
        (_, _, false) => with_int!(from, A => with_int!(to, B => map(|x: A| B::low(x.unsigned())))),
    })
}

fn trunci(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0));
    let kernel = match to.element {
        Element::I4 => with_int!(from, A => map(|x: A| x.unsigned() as u8 & 0xF)),
        _ => with_int!(from, A => with_int!(to.element, B => map(|x: A| B::low(x.unsigned())))),
    };
    Ok(kernel)
}

/// The precondition that narrow integers have the same values.
pub(crate) fn no_loss(cx: &OpContext<'_>) -> Option<Precondition> {
    let (from, to, flag) = (cx.operand(OperandName::From).element, cx.result(0), cx.choice(AttrName::Overflow));
    let width = to.element.bits();
    let broken = move |inputs: &[Value]| -> Tile {
        with_int!(from, A => simd::map(inputs[0].tile(), |x: A| lost(from, x, width, flag).is_some()))
    };
    let fault = move |inputs: &[Value], index: usize| {
        let value = with_int!(from, A => lost(from, at(A::of(inputs[0].tile()), index), width, flag));
        integer_overflow::fault(value.unwrap_or(0), width, flag, &at_element(index, &to.shape))
    };
    (flag != 0).then(|| Precondition::strict(broken, fault))
}

/// A value that does not fit the width, contrary to the op's precondition.
#[inline(always)]
fn lost<A: Int>(from: Element, x: A, width: u32, flag: u8) -> Option<i128> {
    // An i4 is stored in a byte, whose sign bit is not its own.
    let signed = if from == Element::I4 { decode_int(from, x.unsigned()) } else { x.signed() };
    let unsigned = x.unsigned();
    let signed_fits = signed << (64 - width) >> (64 - width) == signed;
    let unsigned_fits = unsigned >> (width - 1) >> 1 == 0;
    match (
        flag & overflow::NO_SIGNED_WRAP != 0 && !signed_fits,
        flag & overflow::NO_UNSIGNED_WRAP != 0 && !unsigned_fits,
    ) {
        (true, _) => Some(signed.into()),
        (_, true) => Some(unsigned.into()),
        _ => None,
    }
}

fn ftof(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0).element);
    let rounding = match cx.choice(AttrName::RoundingMode) {
        rounding::ZERO => Rounding::Zero,
        rounding::NEGATIVE_INF => Rounding::NegativeInf,
        rounding::POSITIVE_INF => Rounding::PositiveInf,
        rounding::NEAREST_AWAY => Rounding::NearestAway,
        _ => Rounding::NearestEven,
    };
    let nearest = rounding == Rounding::NearestEven;
    Ok(match (from, to) {
        (Element::F16, Element::F32) => map(half_to_single),
        (Element::BF16, Element::F32) => map(brain_to_single),
        (Element::F32, Element::F64) => map(|x: f32| f64::from(x)),
        (Element::F32, Element::F16) if nearest => map(single_to_half),
        (Element::F32, Element::BF16) if nearest => map(single_to_brain),
        (Element::F64, Element::F32) if nearest => map(|x: f64| x as f32),
        (Element::F64, Element::F16 | Element::BF16) => convert(ScalarKind::F64, ScalarKind::of(to), move |bits| {
            let value = f64::from_bits(bits);
            if value.is_nan() { narrowed_nan(to, bits) } else { computed(to, value, rounding) }
        }),
        _ => convert(ScalarKind::of(from), ScalarKind::of(to), move |bits| computed(to, decode(from, bits), rounding)),
    })
}

fn itof(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0).element);
    let signed = cx.signed(AttrName::Signedness);
    Ok(with_int!(from, A => match (to, signed) {
        (Element::F32, true) => map(|x: A| x.signed() as f32),
        (Element::F32, false) => map(|x: A| x.unsigned() as f32),
        (Element::F64, true) => map(|x: A| x.signed() as f64),
        (Element::F64, false) => map(|x: A| x.unsigned() as f64),
        (_, signed) => with_kind!(ScalarKind::of(to), B => map(move |x: A| {
            let value = if signed { x.signed().into() } else { x.unsigned().into() };
            B::of_bits(encode_whole(to, value))
        })),
    }))
}

/// Converts towards zero. An out-of-range value is undefined unless the op saturates; it becomes what GPUs compute: for
/// `i8` the low byte of the value saturated to 16 bits, and for all others the nearest number in range. Converted to
/// `i1`, all numbers except 0 are true, and so is NaN, as with NVIDIA's compiler; cuTile's conversion to `bool` relies
/// on it.
fn ftoi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0));
    let saturating = cx.flag(AttrName::Saturating);
    let width = if saturating { to.element.bits() } else { to.element.bits().max(16) };
    let (low, high) = range(width, cx.signed(AttrName::Signedness));
    if to.element == Element::I1 {
        return Ok(with_kind!(ScalarKind::of(from), A => map(move |x: A| decode(from, x.bits()) != 0.0)));
    }
    Ok(with_int!(to.element, B => match from {
        Element::F32 => map(move |x: f32| B::low(clamp(x.into(), low, high))),
        Element::F64 => map(move |x: f64| B::low(clamp(x, low, high))),
        _ => with_kind!(ScalarKind::of(from), A => map(move |x: A| B::low(clamp(decode(from, x.bits()), low, high)))),
    }))
}

/// The precondition that the number is in the range of the integer type, unless the op saturates or converts to `i1`,
/// which has no range.
pub(crate) fn in_range(cx: &OpContext<'_>) -> Option<Precondition> {
    let (from, to) = (cx.operand(OperandName::From).element, cx.result(0));
    let (low, high) = range(to.element.bits(), cx.signed(AttrName::Signedness));
    let (least, beyond) = (low as f64, high as f64 + 1.0);
    let is_outside = move |value: f64| !(value.trunc() >= least && value.trunc() < beyond);
    let broken = move |inputs: &[Value]| -> Tile {
        let source = inputs[0].tile();
        match from {
            Element::F32 => simd::map(source, |x: f32| is_outside(x.into())),
            Element::F64 => simd::map(source, is_outside),
            _ => with_kind!(ScalarKind::of(from), A => simd::map(source, |x: A| is_outside(decode(from, x.bits())))),
        }
    };
    let fault = move |inputs: &[Value], index: usize| {
        let value = decode(from, inputs[0].tile().bits(index));
        float_to_int_range::fault(value, to.element, low, high, &at_element(index, &to.shape))
    };
    let has_range = !cx.flag(AttrName::Saturating) && to.element != Element::I1;
    has_range.then(|| Precondition::late(broken, fault))
}

/// The range of an integer type. A signed `i1` is 0 or -1.
fn range(width: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

/// The nearest value in range, as bits; NaN gives 0.
#[inline(always)]
fn clamp(value: f64, low: i128, high: i128) -> u64 {
    // `as` rounds towards zero, saturates and converts NaN to 0.
    if low < 0 { (value as i64).clamp(low as i64, high as i64) as u64 } else { (value as u64).min(high as u64) }
}
