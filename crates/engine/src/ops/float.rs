//! Floating-point arithmetic.
//!
//! `f16` and `bf16` are computed in `f32` and rounded again, which gives the correctly rounded result for `+ - * /` and
//! the square root. Other ops use [`ResultFormat`].

use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult, map, map_same, zip, zip_same, zip3};
use crate::simd::narrow::{brain_to_single, half_to_single, single_to_brain, single_to_half};
use crate::simd::rounding::{ResultFormat, flushed};
use crate::values::pool::PoolElement;
use crate::values::tile::Scalar;
use tile_analysis::number::{Rounding, decode};
use tile_dialect::{AttrName, Element, Mnemonic as M, rounding};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Addf, addf),
        (M::Divf, divf),
        (M::Fma, fma),
        (M::Mulf, mulf),
        (M::Remf, remf),
        (M::Sqrt, sqrt),
        (M::Subf, subf),
    ],
    elementwise: true,
};

/// A kernel with one operand that computes in `f32`, or in `f64` for `f64`.
macro_rules! float_map {
    ($element:expr, |$x:ident| $body:expr) => {
        match $element {
            Element::F64 => map_same(move |$x: f64| $body),
            Element::F32 => map_same(move |$x: f32| $body),
            Element::F16 => map(move |$x: u16| {
                let $x = half_to_single($x);
                single_to_half($body)
            }),
            _ => map(move |$x: u16| {
                let $x = brain_to_single($x);
                single_to_brain($body)
            }),
        }
    };
}

/// A kernel with two operands and a float result that computes in `f32`, or in `f64` for `f64`.
macro_rules! float_zip {
    ($element:expr, |$x:ident, $y:ident| $body:expr) => {
        match $element {
            Element::F64 => zip_same(move |$x: f64, $y: f64| $body),
            Element::F32 => zip_same(move |$x: f32, $y: f32| $body),
            Element::F16 => zip(move |$x: u16, $y: u16| {
                let ($x, $y) = (half_to_single($x), half_to_single($y));
                single_to_half($body)
            }),
            _ => zip(move |$x: u16, $y: u16| {
                let ($x, $y) = (brain_to_single($x), brain_to_single($y));
                single_to_brain($body)
            }),
        }
    };
}

pub(crate) use {float_map, float_zip};

/// A subnormal `f32` becomes zero of the same sign.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0f32.copysign(x) } else { x }
}

/// The rounding direction of an op; `None` for the nearest, which approximations use too.
fn direction(cx: &OpContext<'_>) -> Option<Rounding> {
    match cx.choice(AttrName::RoundingMode) {
        rounding::ZERO => Some(Rounding::Zero),
        rounding::NEGATIVE_INF => Some(Rounding::NegativeInf),
        rounding::POSITIVE_INF => Some(Rounding::PositiveInf),
        _ => None,
    }
}

/// How an op computes.
enum Mode {
    /// Like the processor.
    Plain,
    /// Like the processor, but subnormal `f32` become zero.
    Flush,
    /// With a rounding mode that the processor does not have.
    Special(Special),
}

/// An op with a rounding direction that may flush subnormals.
struct Special(ResultFormat);

impl Mode {
    fn of(cx: &OpContext<'_>) -> Mode {
        let element = cx.result(0).element;
        match (direction(cx), cx.flag(AttrName::FlushToZero)) {
            (None, false) => Mode::Plain,
            (None, true) => Mode::Flush,
            (Some(rounding), flush) => Mode::Special(Special(ResultFormat { element, rounding, flush })),
        }
    }
}

/// Whether an op computes like the processor.
pub(crate) fn is_plain(cx: &OpContext<'_>) -> bool {
    matches!(Mode::of(cx), Mode::Plain)
}

impl Special {
    fn read<T: Scalar>(&self, value: T) -> f64 {
        let value = decode(self.0.element, value.bits());
        if self.0.flush { flush(value as f32).into() } else { value }
    }

    fn unary(self, f: fn(ResultFormat, f64) -> u64) -> Kernel {
        match self.0.element {
            Element::F64 => map(move |x: f64| f64::of_bits(f(self.0, self.read(x)))),
            Element::F32 => map(move |x: f32| f32::of_bits(f(self.0, self.read(x)))),
            _ => map(move |x: u16| u16::of_bits(f(self.0, self.read(x)))),
        }
    }

    fn binary(self, f: fn(ResultFormat, f64, f64) -> u64) -> Kernel {
        match self.0.element {
            Element::F64 => zip(move |x: f64, y: f64| f64::of_bits(f(self.0, self.read(x), self.read(y)))),
            Element::F32 => zip(move |x: f32, y: f32| f32::of_bits(f(self.0, self.read(x), self.read(y)))),
            _ => zip(move |x: u16, y: u16| u16::of_bits(f(self.0, self.read(x), self.read(y)))),
        }
    }

    fn fma<T: Scalar>(self) -> Kernel {
        zip3(move |x: T, y: T, z: T| T::of_bits(self.0.fma(self.read(x), self.read(y), self.read(z))))
    }
}

fn addf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match Mode::of(cx) {
        Mode::Plain => float_zip!(cx.result(0).element, |x, y| x + y),
        Mode::Flush => zip(|x: f32, y: f32| flush(flush(x) + flush(y))),
        Mode::Special(special) => special.binary(ResultFormat::add),
    })
}

fn subf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match Mode::of(cx) {
        Mode::Plain => float_zip!(cx.result(0).element, |x, y| x - y),
        Mode::Flush => zip(|x: f32, y: f32| flush(flush(x) - flush(y))),
        Mode::Special(special) => special.binary(|target, x, y| target.add(x, -y)),
    })
}

fn mulf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match Mode::of(cx) {
        Mode::Plain => float_zip!(cx.result(0).element, |x, y| x * y),
        Mode::Flush => zip(|x: f32, y: f32| flushed(f64::from(flush(x)) * f64::from(flush(y)))),
        Mode::Special(special) => special.binary(ResultFormat::mul),
    })
}

fn divf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let approximate = cx.choice(AttrName::RoundingMode) == rounding::APPROX;
    Ok(match Mode::of(cx) {
        Mode::Plain if approximate => zip(times_reciprocal),
        Mode::Flush if approximate => zip(|x, y| flush(times_reciprocal(flush(x), flush(y)))),
        Mode::Plain => float_zip!(cx.result(0).element, |x, y| x / y),
        Mode::Flush => zip(|x: f32, y: f32| flushed(f64::from(flush(x)) / f64::from(flush(y)))),
        Mode::Special(special) => special.binary(ResultFormat::div),
    })
}

/// `x / y`, except for a divisor beyond 2^126, where the language defines the approximation: the reciprocal of the
/// divisor is subnormal and flushed to zero.
#[inline(always)]
fn times_reciprocal(x: f32, y: f32) -> f32 {
    const LARGEST: f32 = f32::from_bits((126 + 127) << 23);
    if y.is_finite() && y.abs() > LARGEST { x * 0f32.copysign(y) } else { x / y }
}

fn sqrt(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match Mode::of(cx) {
        Mode::Plain => float_map!(cx.result(0).element, |x| x.sqrt()),
        Mode::Flush => map(|x: f32| flush(flush(x).sqrt())),
        Mode::Special(special) => special.unary(ResultFormat::sqrt),
    })
}

fn fma(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let element = cx.result(0).element;
    let nearest = Special(ResultFormat { element, rounding: Rounding::NearestEven, flush: false });
    Ok(match (element, Mode::of(cx)) {
        (Element::F64, Mode::Plain) => zip3(|x: f64, y: f64, z: f64| x.mul_add(y, z)),
        (Element::F32, Mode::Plain) => zip3(|x: f32, y: f32, z: f32| x.mul_add(y, z)),
        (_, Mode::Flush) => zip3(|x: f32, y: f32, z: f32| flushed_fma(flush(x), flush(y), flush(z))),
        (Element::F64, Mode::Special(special)) => special.fma::<f64>(),
        (Element::F32, Mode::Special(special)) => special.fma::<f32>(),
        (_, Mode::Special(special)) => special.fma::<u16>(),
        // Rounding to f32 first would round twice.
        (_, Mode::Plain) => nearest.fma::<u16>(),
    })
}

/// A sum that was too small before rounding and rounds to the smallest normal number cannot be detected after rounding.
#[inline(always)]
fn flushed_fma(x: f32, y: f32, z: f32) -> f32 {
    const EXACT: ResultFormat = ResultFormat { element: Element::F32, rounding: Rounding::NearestEven, flush: true };
    let sum = x.mul_add(y, z);
    if sum.abs() == f32::MIN_POSITIVE {
        return f32::of_bits(EXACT.fma(x.into(), y.into(), z.into()));
    }
    flush(sum)
}

fn remf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(float_zip!(cx.result(0).element, |x, y| x % y))
}
