//! Floating-point arithmetic and comparison.
//!
//! `f16` and `bf16` compute in `f32` and round once more, which gives the correctly rounded result for `+ - * /` and the
//! square root. What that does not round correctly goes through [`Target`].

use super::Chapter;
use crate::cpu::exact::Target;
use crate::cpu::kernel::{Kernel, Outcome, map, zip, zip3};
use crate::cpu::narrow::{brain_to_single, half_to_single, single_to_brain, single_to_half};
use crate::cpu::site::Site;
use crate::cpu::tile::Word;
use crate::number::{Rounding, decode};
use tile_dialect::{Element, Mnemonic as M, rounding};

pub(super) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Addf, addf),
        (M::Cmpf, cmpf),
        (M::Divf, divf),
        (M::Fma, fma),
        (M::Maxf, |site| extremum(site, true)),
        (M::Minf, |site| extremum(site, false)),
        (M::Mulf, mulf),
        (M::Remf, remf),
        (M::Sqrt, sqrt),
        (M::Subf, subf),
    ],
    elementwise: true,
};

/// A kernel of one operand that computes in `f32`, or in `f64` for `f64`.
macro_rules! float_map {
    ($element:expr, |$x:ident| $body:expr) => {
        match $element {
            Element::F64 => map(move |$x: f64| $body),
            Element::F32 => map(move |$x: f32| $body),
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

/// A kernel of two operands that computes in `f32`, or in `f64` for `f64`, and gives floats.
macro_rules! float_zip {
    ($element:expr, |$x:ident, $y:ident| $body:expr) => {
        match $element {
            Element::F64 => zip(move |$x: f64, $y: f64| $body),
            Element::F32 => zip(move |$x: f32, $y: f32| $body),
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

pub(super) use float_map;

/// A subnormal `f32` becomes zero of the same sign.
#[inline(always)]
pub(super) fn flush(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0f32.copysign(x) } else { x }
}

/// The direction in which an op rounds; `None` for the nearest, which approximations are taken to be.
fn direction(site: &Site<'_>) -> Option<Rounding> {
    match site.choice("rounding_mode") {
        rounding::ZERO => Some(Rounding::Zero),
        rounding::NEGATIVE_INF => Some(Rounding::NegativeInf),
        rounding::POSITIVE_INF => Some(Rounding::PositiveInf),
        _ => None,
    }
}

/// An op that rounds in some direction or flushes subnormals.
struct Special {
    target: Target,
    flush: bool,
}

impl Special {
    /// `None` for an op that does what the processor does.
    fn of(site: &Site<'_>) -> Option<Special> {
        let element = site.result(0).element;
        let flush = site.flag("flush_to_zero");
        let rounding = direction(site);
        let target = Target { element, rounding: rounding.unwrap_or(Rounding::NearestEven) };
        (flush || rounding.is_some()).then_some(Special { target, flush })
    }

    fn read<T: Word>(&self, value: T) -> f64 {
        let value = decode(self.target.element, value.bits());
        if self.flush { flush(value as f32).into() } else { value }
    }

    fn write<T: Word>(&self, bits: u64) -> T {
        let value = f32::from_bits(bits as u32);
        T::of_bits(if self.flush { flush(value).to_bits().into() } else { bits })
    }

    fn unary(self, f: fn(Target, f64) -> u64) -> Kernel {
        match self.target.element {
            Element::F64 => map(move |x: f64| self.write::<f64>(f(self.target, self.read(x)))),
            Element::F32 => map(move |x: f32| self.write::<f32>(f(self.target, self.read(x)))),
            _ => map(move |x: u16| self.write::<u16>(f(self.target, self.read(x)))),
        }
    }

    fn binary(self, f: fn(Target, f64, f64) -> u64) -> Kernel {
        match self.target.element {
            Element::F64 => zip(move |x: f64, y: f64| self.write::<f64>(f(self.target, self.read(x), self.read(y)))),
            Element::F32 => zip(move |x: f32, y: f32| self.write::<f32>(f(self.target, self.read(x), self.read(y)))),
            _ => zip(move |x: u16, y: u16| self.write::<u16>(f(self.target, self.read(x), self.read(y)))),
        }
    }

    fn fma<T: Word>(self) -> Kernel {
        zip3(move |x: T, y: T, z: T| self.write::<T>(self.target.fma(self.read(x), self.read(y), self.read(z))))
    }
}

fn addf(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(match Special::of(site) {
        Some(special) => special.binary(Target::add),
        None => float_zip!(site.result(0).element, |x, y| x + y),
    })
}

fn subf(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(match Special::of(site) {
        Some(special) => special.binary(|target, x, y| target.add(x, -y)),
        None => float_zip!(site.result(0).element, |x, y| x - y),
    })
}

fn mulf(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(match Special::of(site) {
        Some(special) => special.binary(Target::mul),
        None => float_zip!(site.result(0).element, |x, y| x * y),
    })
}

fn divf(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(match Special::of(site) {
        Some(special) => special.binary(Target::div),
        None => float_zip!(site.result(0).element, |x, y| x / y),
    })
}

fn sqrt(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(match Special::of(site) {
        Some(special) => special.unary(Target::sqrt),
        None => float_map!(site.result(0).element, |x| x.sqrt()),
    })
}

fn fma(site: &Site<'_>) -> Outcome<Kernel> {
    let element = site.result(0).element;
    let special = Special::of(site);
    let narrow = Special { target: Target { element, rounding: Rounding::NearestEven }, flush: false };
    Ok(match (element, special) {
        (Element::F64, None) => zip3(|x: f64, y: f64, z: f64| x.mul_add(y, z)),
        (Element::F32, None) => zip3(|x: f32, y: f32, z: f32| x.mul_add(y, z)),
        (Element::F64, Some(special)) => special.fma::<f64>(),
        (Element::F32, Some(special)) => special.fma::<f32>(),
        // Rounding to f32 first would round twice.
        (_, special) => special.unwrap_or(narrow).fma::<u16>(),
    })
}

fn remf(site: &Site<'_>) -> Outcome<Kernel> {
    Ok(float_zip!(site.result(0).element, |x, y| x % y))
}

/// The larger or smaller of two: a number wins over NaN unless NaN propagates, and -0 lies below +0.
fn extremum(site: &Site<'_>, larger: bool) -> Outcome<Kernel> {
    let propagate = site.flag("propagate_nan");
    let element = site.result(0).element;
    Ok(match (site.flag("flush_to_zero"), larger) {
        (true, true) => zip(move |x: f32, y: f32| flush(maximum(flush(x), flush(y), propagate))),
        (true, false) => zip(move |x: f32, y: f32| flush(minimum(flush(x), flush(y), propagate))),
        (false, true) => float_zip!(element, |x, y| maximum(x, y, propagate)),
        (false, false) => float_zip!(element, |x, y| minimum(x, y, propagate)),
    })
}

/// What the two extrema need of a float.
trait Real: Copy + PartialOrd {
    /// The canonical NaN.
    const NAN: Self;

    fn is_nan(self) -> bool;

    fn is_negative(self) -> bool;
}

macro_rules! real {
    ($($type:ident)*) => {$(
        impl Real for $type {
            const NAN: Self = $type::NAN;

            #[inline(always)]
            fn is_nan(self) -> bool {
                $type::is_nan(self)
            }

            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
        }
    )*};
}

real!(f32 f64);

#[inline(always)]
fn maximum<T: Real>(x: T, y: T, propagate: bool) -> T {
    choose(x, y, x > y || (x == y && !x.is_negative()), propagate)
}

#[inline(always)]
fn minimum<T: Real>(x: T, y: T, propagate: bool) -> T {
    choose(x, y, x < y || (x == y && x.is_negative()), propagate)
}

/// The first where it wins, the second elsewhere; NaN as the op wants it.
#[inline(always)]
fn choose<T: Real>(x: T, y: T, first: bool, propagate: bool) -> T {
    let number = if first || y.is_nan() { x } else { y };
    let nan = if propagate { x.is_nan() || y.is_nan() } else { x.is_nan() && y.is_nan() };
    if nan { T::NAN } else { number }
}

fn cmpf(site: &Site<'_>) -> Outcome<Kernel> {
    let predicate = site.choice("comparison_predicate");
    let unordered = site.choice("comparison_ordering") == 0;
    Ok(match site.operand("lhs").element {
        Element::F64 => compare(predicate, unordered, |x: f64| x),
        Element::F32 => compare(predicate, unordered, |x: f32| x),
        Element::F16 => compare(predicate, unordered, |x: u16| half_to_single(x)),
        _ => compare(predicate, unordered, |x: u16| brain_to_single(x)),
    })
}

fn compare<T: Word, N: PartialOrd>(
    predicate: u8,
    unordered: bool,
    read: impl Fn(T) -> N + Copy + Send + Sync + 'static,
) -> Kernel {
    // A comparison of unordered operands is false, whatever it asks, so its opposite is true for them.
    match (predicate, unordered) {
        (0, false) => zip(move |a: T, b: T| read(a) == read(b)),
        (0, true) => zip(move |a: T, b: T| !(read(a) < read(b) || read(a) > read(b))),
        (1, false) => zip(move |a: T, b: T| read(a) < read(b) || read(a) > read(b)),
        (1, true) => zip(move |a: T, b: T| read(a) != read(b)),
        (2, false) => zip(move |a: T, b: T| read(a) < read(b)),
        (2, true) => zip(move |a: T, b: T| !at_least(read(a), read(b))),
        (3, false) => zip(move |a: T, b: T| at_least(read(b), read(a))),
        (3, true) => zip(move |a: T, b: T| !above(read(a), read(b))),
        (4, false) => zip(move |a: T, b: T| above(read(a), read(b))),
        (4, true) => zip(move |a: T, b: T| !at_least(read(b), read(a))),
        (_, false) => zip(move |a: T, b: T| at_least(read(a), read(b))),
        (_, true) => zip(move |a: T, b: T| !above(read(b), read(a))),
    }
}

#[inline(always)]
fn at_least<N: PartialOrd>(a: N, b: N) -> bool {
    a >= b
}

#[inline(always)]
fn above<N: PartialOrd>(a: N, b: N) -> bool {
    a > b
}
