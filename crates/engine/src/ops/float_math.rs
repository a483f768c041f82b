//! Floating-point functions. All except `f64` compute in `f64` and round once. They come from a Rust library instead of
//! the system's, so that a kernel gives the same bits on every machine.

use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::exp::exp;
use crate::ops::float::{float_map, flush};
use crate::ops::integer::{Int, with_int};
use crate::ops::kernel::{Kernel, OpResult, map, map_same, map_same_widest, zip};
use crate::simd::narrow::{NAN, brain_to_single, computed, half_to_single, single_to_brain, single_to_half};
use crate::values::tile::Scalar;
use tile_analysis::number::{Rounding, decode, encode_literal};
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Absf, absf),
        (M::Atan2, |cx| binary(cx, libm::atan2)),
        (M::Ceil, |cx| Ok(float_map!(cx.result(0).element, |x| x.ceil()))),
        (M::Cos, |cx| unary(cx, libm::cos)),
        (M::Cosh, |cx| unary(cx, libm::cosh)),
        (M::Exp, |cx| match cx.result(0).element {
            Element::F64 => unary(cx, libm::exp),
            Element::F32 => Ok(map_same_widest(|x: f32| exp(x.into()) as f32)),
            _ => unary(cx, exp),
        }),
        (M::Exp2, |cx| unary(cx, libm::exp2)),
        (M::Floor, |cx| Ok(float_map!(cx.result(0).element, |x| x.floor()))),
        (M::Fpowi, fpowi),
        (M::Log, |cx| unary(cx, libm::log)),
        (M::Log2, |cx| unary(cx, libm::log2)),
        (M::Negf, negf),
        (M::Pow, |cx| binary(cx, libm::pow)),
        (M::Rsqrt, |cx| unary(cx, |x| 1.0 / x.sqrt())),
        (M::Sin, |cx| unary(cx, libm::sin)),
        (M::Sinh, |cx| unary(cx, libm::sinh)),
        (M::Tan, |cx| unary(cx, libm::tan)),
        (M::Tanh, |cx| unary(cx, libm::tanh)),
    ],
    elementwise: true,
};

/// A function with one operand.
fn unary(cx: &OpContext<'_>, f: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static) -> OpResult<Kernel> {
    let flushes = matches!(cx.op.op, M::Exp2 | M::Rsqrt) && cx.flag(AttrName::FlushToZero);
    Ok(match cx.result(0).element {
        Element::F64 => map(move |x: f64| f(x)),
        Element::F32 if flushes => map(move |x: f32| flush(f(flush(x).into()) as f32)),
        Element::F32 => map_same(move |x: f32| f(x.into()) as f32),
        Element::F16 => map(move |x: u16| single_to_half(f(half_to_single(x).into()) as f32)),
        _ => map(move |x: u16| single_to_brain(f(brain_to_single(x).into()) as f32)),
    })
}

/// A function with two operands.
fn binary(cx: &OpContext<'_>, f: impl Fn(f64, f64) -> f64 + Copy + Send + Sync + 'static) -> OpResult<Kernel> {
    Ok(match cx.result(0).element {
        Element::F64 => zip(move |x: f64, y: f64| f(x, y)),
        Element::F32 => zip(move |x: f32, y: f32| f(x.into(), y.into()) as f32),
        Element::F16 => {
            zip(move |x: u16, y: u16| single_to_half(f(half_to_single(x).into(), half_to_single(y).into()) as f32))
        }
        _ => zip(move |x: u16, y: u16| single_to_brain(f(brain_to_single(x).into(), brain_to_single(y).into()) as f32)),
    })
}

/// Works on the bits of `f16` and `bf16`, where NaN becomes the canonical one.
fn absf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match cx.result(0).element {
        Element::F64 => map(f64::abs),
        Element::F32 => map(f32::abs),
        element => {
            let infinity = encode_literal(element, f64::INFINITY) as u16;
            map(move |x: u16| if x & 0x7FFF > infinity { NAN } else { x & 0x7FFF })
        }
    })
}

fn negf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(match cx.result(0).element {
        Element::F64 => map(|x: f64| -x),
        Element::F32 => map(|x: f32| -x),
        element => {
            let infinity = encode_literal(element, f64::INFINITY) as u16;
            map(move |x: u16| if x & 0x7FFF > infinity { NAN } else { x ^ 0x8000 })
        }
    })
}

fn fpowi(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let element = cx.result(0).element;
    Ok(with_int!(cx.operand(OperandName::Exponent).element, N => match element {
        Element::F64 => power::<f64, N>(element),
        Element::F32 => power::<f32, N>(element),
        _ => power::<u16, N>(element),
    }))
}

fn power<T: Scalar, N: Int>(element: Element) -> Kernel {
    zip(move |x: T, n: N| {
        T::of_bits(computed(element, whole_power(decode(element, x.bits()), n.signed()), Rounding::NearestEven))
    })
}

/// An exponent beyond 2^53 loses its last bit in `f64`, which decides the sign, so even and odd are distinguished here.
fn whole_power(x: f64, n: i64) -> f64 {
    let magnitude = libm::pow(x.abs(), n as f64);
    if x.is_sign_negative() && n % 2 != 0 { -magnitude } else { magnitude }
}
