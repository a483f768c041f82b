//! Conversions between element types.

use super::Chapter;
use super::integer::{Int, with_int};
use super::integer_check::before;
use crate::cpu::kernel::{Kernel, Outcome, hand_on, map};
use crate::cpu::narrow::{brain_to_single, half_to_single, single_to_brain, single_to_half};
use crate::cpu::site::{Site, Tiled};
use crate::cpu::tile::{Kind, Tile, Word, with_kind};
use crate::findings::{at_element, float_to_int_range, integer_overflow};
use crate::number::{Rounding, decode, decode_int, encode_rounded, encode_whole};
use tile_dialect::{Element, Mnemonic as M, rounding};

pub(super) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Bitcast, bitcast),
        (M::Exti, exti),
        (M::Ftof, ftof),
        (M::Ftoi, ftoi),
        (M::IntToPtr, same),
        (M::Itof, itof),
        (M::PtrToInt, same),
        (M::PtrToPtr, same),
        (M::Trunci, trunci),
    ],
    elementwise: true,
};

/// The same tile as another type.
fn same(_: &Site<'_>) -> Outcome<Kernel> {
    Ok(hand_on(|_| 0))
}

/// A kernel that computes the bits of each element from those of another.
fn convert(from: Kind, to: Kind, f: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static) -> Kernel {
    with_kind!(from, A => with_kind!(to, B => map(move |a: A| B::of_bits(f(a.bits())))))
}

fn bitcast(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("source"), site.result(0));
    if from.kind == to.kind {
        return same(site);
    }
    Ok(convert(from.kind, to.kind, |bits| bits))
}

fn exti(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("from").element, site.result(0).element);
    let signed = site.signed("signedness");
    Ok(match (from, to, signed) {
        // i1 is the only integer that is narrower than i4.
        (_, Element::I4, _) => map(move |x: bool| if x && signed { 0xF } else { u8::from(x) }),
        (Element::I4, _, true) => with_int!(to, T => map(|x: u8| T::low(decode_int(Element::I4, x.into()) as u64))),
        (Element::I4, _, false) => with_int!(to, T => map(|x: u8| T::low((x & 0xF).into()))),
        (_, _, true) => with_int!(from, A => with_int!(to, B => map(|x: A| B::low(x.signed() as u64)))),
        (_, _, false) => with_int!(from, A => with_int!(to, B => map(|x: A| B::low(x.unsigned())))),
    })
}

fn trunci(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("from").element, site.result(0));
    let kernel = match to.element {
        Element::I4 => with_int!(from, A => map(|x: A| x.unsigned() as u8 & 0xF)),
        _ => with_int!(from, A => with_int!(to.element, B => map(|x: A| B::low(x.unsigned())))),
    };
    let flag = site.choice("overflow");
    if flag == 0 || !site.sanitize {
        return Ok(kernel);
    }
    Ok(before(kernel, move |inputs| with_int!(from, A => no_loss::<A>(inputs[0].tile(), &to, flag))))
}

/// Checks the promise that narrow integers have the same values.
fn no_loss<A: Int>(wide: &Tile, to: &Tiled, flag: u8) -> Outcome<()> {
    let width = to.element.bits();
    for (index, &x) in A::of(wide).iter().enumerate() {
        let (signed, unsigned) = (x.signed(), x.unsigned());
        let signed_fits = signed << (64 - width) >> (64 - width) == signed;
        let unsigned_fits = unsigned >> (width - 1) >> 1 == 0;
        let broken = match (flag & 1 != 0 && !signed_fits, flag & 2 != 0 && !unsigned_fits) {
            (true, _) => Some(signed.into()),
            (_, true) => Some(unsigned.into()),
            _ => None,
        };
        if let Some(value) = broken {
            return Err(integer_overflow::fault(value, width, flag, &at_element(index, &to.shape)));
        }
    }
    Ok(())
}

fn ftof(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("from").element, site.result(0).element);
    let rounding = match site.choice("rounding_mode") {
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
        _ => convert(Kind::of(from), Kind::of(to), move |bits| encode_rounded(to, decode(from, bits), rounding)),
    })
}

fn itof(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("from").element, site.result(0).element);
    let signed = site.signed("signedness");
    Ok(with_int!(from, A => match (to, signed) {
        (Element::F32, true) => map(|x: A| x.signed() as f32),
        (Element::F32, false) => map(|x: A| x.unsigned() as f32),
        (Element::F64, true) => map(|x: A| x.signed() as f64),
        (Element::F64, false) => map(|x: A| x.unsigned() as f64),
        (_, signed) => with_kind!(Kind::of(to), B => map(move |x: A| {
            let value = if signed { x.signed().into() } else { x.unsigned().into() };
            B::of_bits(encode_whole(to, value))
        })),
    }))
}

/// Converts towards zero. What is out of range is undefined unless the op saturates; it saturates here in any case.
fn ftoi(site: &Site<'_>) -> Outcome<Kernel> {
    let (from, to) = (site.operand("from").element, site.result(0));
    let (low, high) = range(to.element.bits(), site.signed("signedness"));
    let kernel = with_int!(to.element, B => match from {
        Element::F32 => map(move |x: f32| B::low(clamp(x.into(), low, high))),
        Element::F64 => map(move |x: f64| B::low(clamp(x, low, high))),
        _ => with_kind!(Kind::of(from), A => map(move |x: A| B::low(clamp(decode(from, x.bits()), low, high)))),
    });
    if site.flag("saturating") || !site.sanitize {
        return Ok(kernel);
    }
    Ok(before(kernel, move |inputs| {
        let source = inputs[0].tile();
        for index in 0..source.stored() {
            let value = decode(from, source.bits(index));
            let whole = value.trunc();
            if !(whole >= low as f64 && whole < high as f64 + 1.0) {
                let place = at_element(index, &to.shape);
                return Err(float_to_int_range::fault(value, to.element, low, high, &place));
            }
        }
        Ok(())
    }))
}

/// The values of an integer type. A signed `i1` is 0 or -1.
fn range(width: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

/// The nearest value in range, as bits; NaN gives 0.
#[inline(always)]
fn clamp(value: f64, low: i128, high: i128) -> u64 {
    // `as` rounds towards zero, saturates and makes NaN 0.
    if low < 0 { (value as i64).clamp(low as i64, high as i64) as u64 } else { (value as u64).min(high as u64) }
}
