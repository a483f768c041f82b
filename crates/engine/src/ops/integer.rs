//! Integer arithmetic, bitwise ops and comparison. All widths are computed in 64 bits and truncated.

use crate::findings::{at_element, division_by_zero, division_overflow};
use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult, map, pure, zip};
use crate::simd;
use crate::values::tile::{Scalar, Tile, at};
use std::fmt::Display;
use tile_dialect::{AttrName, Mnemonic as M, OperandName, predicate, rounding};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Absi, absi),
        (M::Addi, |cx| bitwise(cx, |a, b| a.wrapping_add(b))),
        (M::Andi, |cx| bitwise(cx, |a, b| a & b)),
        (M::Cmpi, cmpi),
        (M::Divi, divi),
        (M::Maxi, |cx| ordered(cx, Ord::max, Ord::max)),
        (M::Mini, |cx| ordered(cx, Ord::min, Ord::min)),
        (M::Mulhii, mulhii),
        (M::Muli, |cx| bitwise(cx, |a, b| a.wrapping_mul(b))),
        (M::Negi, negi),
        (M::Ori, |cx| bitwise(cx, |a, b| a | b)),
        (M::Remi, remi),
        (M::Shli, shli),
        (M::Shri, shri),
        (M::Subi, |cx| bitwise(cx, |a, b| a.wrapping_sub(b))),
        (M::Xori, |cx| bitwise(cx, |a, b| a ^ b)),
    ],
    elementwise: true,
};

/// An integer of some width.
pub(crate) trait Int: Scalar {
    /// The width.
    const WIDTH: u32;

    /// The value as unsigned.
    fn unsigned(self) -> u64;

    /// The value as signed; a true `i1` is -1.
    fn signed(self) -> i64;

    /// The low bits of a value.
    fn low(value: u64) -> Self;
}

macro_rules! int {
    ($type:ty, $signed:ty) => {
        impl Int for $type {
            const WIDTH: u32 = <$type>::BITS;

            #[inline(always)]
            fn unsigned(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn signed(self) -> i64 {
                (self as $signed).into()
            }

            #[inline(always)]
            fn low(value: u64) -> Self {
                value as $type
            }
        }
    };
}

int!(u8, i8);
int!(u16, i16);
int!(u32, i32);
int!(u64, i64);

impl Int for bool {
    const WIDTH: u32 = 1;

    #[inline(always)]
    fn unsigned(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    fn signed(self) -> i64 {
        -i64::from(self)
    }

    #[inline(always)]
    fn low(value: u64) -> Self {
        value & 1 == 1
    }
}

/// Names the Rust type of an integer element and evaluates an expression with it.
macro_rules! with_int {
    ($element:expr, $int:ident => $body:expr) => {
        match $element {
            tile_dialect::Element::I1 => {
                type $int = bool;
                $body
            }
            tile_dialect::Element::I16 => {
                type $int = u16;
                $body
            }
            tile_dialect::Element::I32 => {
                type $int = u32;
                $body
            }
            tile_dialect::Element::I64 => {
                type $int = u64;
                $body
            }
            _ => {
                type $int = u8;
                $body
            }
        }
    };
}

pub(crate) use with_int;

/// A kernel with two operands whose result is the low bits of `f` applied to the zero-extended elements.
fn bitwise(cx: &OpContext<'_>, f: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static) -> OpResult<Kernel> {
    Ok(with_int!(cx.result(0).element, T => zip(move |a: T, b: T| T::low(f(a.unsigned(), b.unsigned())))))
}

/// The larger or the smaller of two.
fn ordered(
    cx: &OpContext<'_>,
    signed: impl Fn(i64, i64) -> i64 + Copy + Send + Sync + 'static,
    unsigned: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static,
) -> OpResult<Kernel> {
    if !cx.signed(AttrName::Signedness) {
        return bitwise(cx, unsigned);
    }
    Ok(with_int!(cx.result(0).element, T => zip(move |a: T, b: T| T::low(signed(a.signed(), b.signed()) as u64))))
}

fn absi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(with_int!(cx.result(0).element, T => map(|a: T| T::low(a.signed().unsigned_abs()))))
}

fn negi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(with_int!(cx.result(0).element, T => map(|a: T| T::low(a.unsigned().wrapping_neg()))))
}

fn mulhii(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(with_int!(cx.result(0).element, T => zip(|a: T, b: T| {
        T::low(((u128::from(a.unsigned()) * u128::from(b.unsigned())) >> T::WIDTH) as u64)
    })))
}

fn cmpi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let comparison = cx.choice(AttrName::ComparisonPredicate);
    let element = cx.operand(OperandName::Lhs).element;
    Ok(if cx.signed(AttrName::Signedness) {
        with_int!(element, T => compare(comparison, |a: T| a.signed()))
    } else {
        with_int!(element, T => compare(comparison, |a: T| a.unsigned()))
    })
}

fn compare<T: Int, N: Ord>(comparison: u8, read: impl Fn(T) -> N + Copy + Send + Sync + 'static) -> Kernel {
    match comparison {
        predicate::EQUAL => zip(move |a: T, b: T| read(a) == read(b)),
        predicate::NOT_EQUAL => zip(move |a: T, b: T| read(a) != read(b)),
        predicate::LESS_THAN => zip(move |a: T, b: T| read(a) < read(b)),
        predicate::LESS_THAN_OR_EQUAL => zip(move |a: T, b: T| read(a) <= read(b)),
        predicate::GREATER_THAN => zip(move |a: T, b: T| read(a) > read(b)),
        _ => zip(move |a: T, b: T| read(a) >= read(b)),
    }
}

/// A shift by the width or more is unspecified: here it shifts everything out.
fn shli(cx: &OpContext<'_>) -> OpResult<Kernel> {
    bitwise(cx, |a, amount| if amount < 64 { a << amount } else { 0 })
}

fn shri(cx: &OpContext<'_>) -> OpResult<Kernel> {
    if !cx.signed(AttrName::Signedness) {
        return bitwise(cx, |a, amount| if amount < 64 { a >> amount } else { 0 });
    }
    Ok(with_int!(cx.result(0).element, T => zip(|a: T, b: T| T::low((a.signed() >> b.unsigned().min(63)) as u64))))
}

fn divi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let up = cx.choice(AttrName::Rounding) == rounding::POSITIVE_INF;
    let down = cx.choice(AttrName::Rounding) == rounding::NEGATIVE_INF;
    if !cx.signed(AttrName::Signedness) {
        return divide_unsigned(cx, move |a, b| if up { a.div_ceil(b) } else { a / b });
    }
    let divide = move |a: i64, b: i64| {
        let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
        let inexact = rest != 0;
        let negative = (rest < 0) != (b < 0);
        quotient + i64::from(up && inexact && !negative) - i64::from(down && inexact && negative)
    };
    let shape = cx.result(0).shape;
    Ok(with_int!(cx.result(0).element, T => pure(move |inputs| {
        let (a, b) = (inputs[0].tile(), inputs[1].tile());
        no_zero(a, b, T::signed, &shape)?;
        if let Some(at) = simd::find2(a, b, |a: T, b: T| b.signed() == -1 && a.signed() == i64::MIN >> (64 - T::WIDTH)) {
            return Err(division_overflow::fault(&at_element(at, &shape)));
        }
        Ok(simd::zip(a, b, |a: T, b: T| T::low(divide(a.signed(), b.signed()) as u64)))
    })))
}

fn remi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    if !cx.signed(AttrName::Signedness) {
        return divide_unsigned(cx, |a, b| a % b);
    }
    let shape = cx.result(0).shape;
    Ok(with_int!(cx.result(0).element, T => pure(move |inputs| {
        let (a, b) = (inputs[0].tile(), inputs[1].tile());
        no_zero(a, b, T::signed, &shape)?;
        Ok(simd::zip(a, b, |a: T, b: T| T::low(a.signed().wrapping_rem(b.signed()) as u64)))
    })))
}

fn divide_unsigned(cx: &OpContext<'_>, f: impl Fn(u64, u64) -> u64 + Copy + Send + Sync + 'static) -> OpResult<Kernel> {
    let shape = cx.result(0).shape;
    Ok(with_int!(cx.result(0).element, T => pure(move |inputs| {
        let (a, b) = (inputs[0].tile(), inputs[1].tile());
        no_zero(a, b, T::unsigned, &shape)?;
        Ok(simd::zip(a, b, |a: T, b: T| T::low(f(a.unsigned(), b.unsigned()))))
    })))
}

/// The precondition that no element is divided by 0. `read` decodes the dividends for messages.
fn no_zero<T: Int, N: Display>(dividends: &Tile, divisors: &Tile, read: fn(T) -> N, shape: &[i64]) -> OpResult<()> {
    match simd::find(divisors, |b: T| b.unsigned() == 0) {
        Some(index) => {
            let dividend = read(at(T::of(dividends), index));
            Err(division_by_zero::fault(dividend, &at_element(index, shape)))
        }
        None => Ok(()),
    }
}
