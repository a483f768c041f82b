//! Orders floats: the extrema and the comparison.

use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::float::{float_zip, flush};
use crate::ops::kernel::{Kernel, OpResult, zip, zip_same};
use crate::simd::narrow::{brain_to_single, half_to_single, single_to_brain, single_to_half};
use crate::values::tile::Scalar;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, comparison_ordering, predicate};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[(M::Cmpf, cmpf), (M::Maxf, |cx| extremum(cx, true)), (M::Minf, |cx| extremum(cx, false))],
    elementwise: true,
};

/// The larger or smaller of two: a number is preferred to NaN unless NaN propagates, and -0 is less than +0.
fn extremum(cx: &OpContext<'_>, larger: bool) -> OpResult<Kernel> {
    let propagate = cx.flag(AttrName::PropagateNan);
    let element = cx.result(0).element;
    Ok(match (cx.flag(AttrName::FlushToZero), larger) {
        (true, true) => zip(move |x: f32, y: f32| flush(maximum(flush(x), flush(y), propagate))),
        (true, false) => zip(move |x: f32, y: f32| flush(minimum(flush(x), flush(y), propagate))),
        (false, true) => float_zip!(element, |x, y| maximum(x, y, propagate)),
        (false, false) => float_zip!(element, |x, y| minimum(x, y, propagate)),
    })
}

/// The operations on a float type that the extrema need.
pub(crate) trait Real: Copy + PartialOrd {
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
pub(crate) fn maximum<T: Real>(x: T, y: T, propagate: bool) -> T {
    choose(x, y, x > y || (x == y && !x.is_negative()), propagate)
}

#[inline(always)]
pub(crate) fn minimum<T: Real>(x: T, y: T, propagate: bool) -> T {
    choose(x, y, x < y || (x == y && x.is_negative()), propagate)
}

/// Selects the first where it wins, otherwise the second; NaN according to the op.
#[inline(always)]
fn choose<T: Real>(x: T, y: T, first: bool, propagate: bool) -> T {
    let number = if first || y.is_nan() { x } else { y };
    let nan = if propagate { x.is_nan() || y.is_nan() } else { x.is_nan() && y.is_nan() };
    if nan { T::NAN } else { number }
}

fn cmpf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let comparison = cx.choice(AttrName::ComparisonPredicate);
    let unordered = cx.choice(AttrName::ComparisonOrdering) == comparison_ordering::UNORDERED;
    Ok(match cx.operand(OperandName::Lhs).element {
        Element::F64 => compare(comparison, unordered, |x: f64| x),
        Element::F32 => compare(comparison, unordered, |x: f32| x),
        Element::F16 => compare(comparison, unordered, |x: u16| half_to_single(x)),
        _ => compare(comparison, unordered, |x: u16| brain_to_single(x)),
    })
}

fn compare<T: Scalar, N: PartialOrd>(
    comparison: u8,
    unordered: bool,
    read: impl Fn(T) -> N + Copy + Send + Sync + 'static,
) -> Kernel {
    // A comparison of unordered operands is false for every predicate, so its negation is true.
    match (comparison, unordered) {
        (predicate::EQUAL, false) => zip(move |a: T, b: T| read(a) == read(b)),
        (predicate::EQUAL, true) => zip(move |a: T, b: T| !(read(a) < read(b) || read(a) > read(b))),
        (predicate::NOT_EQUAL, false) => zip(move |a: T, b: T| read(a) < read(b) || read(a) > read(b)),
        (predicate::NOT_EQUAL, true) => zip(move |a: T, b: T| read(a) != read(b)),
        (predicate::LESS_THAN, false) => zip(move |a: T, b: T| read(a) < read(b)),
        (predicate::LESS_THAN, true) => zip(move |a: T, b: T| !at_least(read(a), read(b))),
        (predicate::LESS_THAN_OR_EQUAL, false) => zip(move |a: T, b: T| at_least(read(b), read(a))),
        (predicate::LESS_THAN_OR_EQUAL, true) => zip(move |a: T, b: T| !above(read(a), read(b))),
        (predicate::GREATER_THAN, false) => zip(move |a: T, b: T| above(read(a), read(b))),
        (predicate::GREATER_THAN, true) => zip(move |a: T, b: T| !at_least(read(b), read(a))),
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
