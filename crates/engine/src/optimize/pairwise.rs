//! Reductions whose function is a single op with a processor instruction. They avoid a round through the region for
//! each halving, and give the same bits as those rounds.

use crate::ops::context::{Mode, OpContext};
use crate::ops::float::is_plain;
use crate::ops::float_order::{Real, maximum, minimum};
use crate::simd::{Units, zip};
use crate::values::pool::{recycle, vector};
use crate::values::tile::{Scalar, Tile};
use pulp::{Simd, WithSimd};
use std::ops::{Add, Mul};
use tile_analysis::ir::RegionId;
use tile_dialect::{AttrName, Element, Mnemonic as M};

/// Reduces a tile along a dimension with this extent; the second number is the product of the extents after it. The
/// last argument is the identity.
pub(crate) type Pairwise = Box<dyn Fn(&Tile, usize, usize, &Tile) -> Tile + Send + Sync>;

/// The reduction of the op at `cx` if its region computes one commutative op, and the run is not observed.
pub(crate) fn of(cx: &OpContext<'_>, region: RegionId) -> Option<Pairwise> {
    let inner = cx.body.region(region);
    let &[id, end] = &inner.ops[..] else { return None };
    let (op, end) = (cx.body.op(id), cx.body.op(end));
    let (args, operands) = (&inner.args[..], cx.body.operands(op));
    let both = operands.len() == 2
        && args.len() == 2
        && operands[0] != operands[1]
        && args.iter().all(|arg| operands.contains(arg));
    let handed_on = cx.body.operands(end).iter().copied().eq(cx.body.results(op));
    if cx.mode == Mode::Sanitized || !both || !handed_on || end.op != M::Yield {
        return None;
    }
    commutative(&OpContext { op, id, ..*cx })
}

fn commutative(cx: &OpContext<'_>) -> Option<Pairwise> {
    match cx.result(0).element {
        Element::F32 => float::<f32>(cx),
        Element::F64 => float::<f64>(cx),
        Element::I32 => integer(cx),
        _ => None,
    }
}

fn float<T: Scalar + Real + Add<Output = T> + Mul<Output = T>>(cx: &OpContext<'_>) -> Option<Pairwise> {
    match cx.op.op {
        M::Addf if is_plain(cx) => Some(halving(|a: T, b: T| a + b)),
        M::Mulf if is_plain(cx) => Some(halving(|a: T, b: T| a * b)),
        M::Maxf | M::Minf if cx.flag(AttrName::FlushToZero) => None,
        M::Maxf if cx.flag(AttrName::PropagateNan) => Some(halving(|a: T, b: T| maximum(a, b, true))),
        M::Maxf => Some(halving(|a: T, b: T| maximum(a, b, false))),
        M::Minf if cx.flag(AttrName::PropagateNan) => Some(halving(|a: T, b: T| minimum(a, b, true))),
        M::Minf => Some(halving(|a: T, b: T| minimum(a, b, false))),
        _ => None,
    }
}

fn integer(cx: &OpContext<'_>) -> Option<Pairwise> {
    match cx.op.op {
        M::Addi => Some(halving(u32::wrapping_add)),
        M::Andi => Some(halving(|a: u32, b: u32| a & b)),
        M::Ori => Some(halving(|a: u32, b: u32| a | b)),
        M::Maxi if cx.signed(AttrName::Signedness) => Some(halving(|a: u32, b: u32| (a as i32).max(b as i32) as u32)),
        M::Mini if cx.signed(AttrName::Signedness) => Some(halving(|a: u32, b: u32| (a as i32).min(b as i32) as u32)),
        M::Maxi => Some(halving(|a: u32, b: u32| a.max(b))),
        M::Mini => Some(halving(|a: u32, b: u32| a.min(b))),
        _ => None,
    }
}

fn halving<T: Scalar>(f: impl Fn(T, T) -> T + Copy + Send + Sync + 'static) -> Pairwise {
    Box::new(move |tile, extent, inner, identity| {
        let elements = T::of(tile);
        let reduced = match Units::new() {
            Some(units) => units.run(Halving { elements, extent, inner, f }),
            None => halve_plainly(Halving { elements, extent, inner, f: &f }),
        };
        zip(&T::tile(reduced), identity, f)
    })
}

/// The scalar version, which is the same for every op.
#[inline(never)]
fn halve_plainly<T: Scalar>(work: Halving<'_, T, &dyn Fn(T, T) -> T>) -> Vec<T> {
    work.with_simd(pulp::Scalar)
}

struct Halving<'a, T, F> {
    elements: &'a [T],
    extent: usize,
    inner: usize,
    f: F,
}

impl<T: Scalar, F: Fn(T, T) -> T> WithSimd for Halving<'_, T, F> {
    type Output = Vec<T>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<T> {
        let Halving { elements, extent, inner, f } = self;
        let mut reduced = vector(elements.len() / extent);
        if extent == 1 {
            reduced.copy_from_slice(elements);
            return reduced;
        }
        // The halves alternate between two vectors.
        let mut left = elements.len() / 2;
        let (mut halved, mut other) = (vector(left), vector(left / 2));
        halve(elements, inner, &mut halved, &f);
        while left > reduced.len() {
            halve(&halved[..left], inner, &mut other[..left / 2], &f);
            std::mem::swap(&mut halved, &mut other);
            left /= 2;
        }
        reduced.copy_from_slice(&halved[..left]);
        recycle(halved);
        recycle(other);
        reduced
    }
}

/// Combines adjacent elements along the dimension.
#[inline(always)]
fn halve<T: Scalar>(elements: &[T], inner: usize, halved: &mut [T], f: &impl Fn(T, T) -> T) {
    if inner == 1 {
        for (halved, &[first, second]) in halved.iter_mut().zip(elements.as_chunks::<2>().0) {
            *halved = f(second, first);
        }
        return;
    }
    for (halved, pair) in halved.chunks_exact_mut(inner).zip(elements.chunks_exact(2 * inner)) {
        let (first, second) = pair.split_at(inner);
        for ((halved, &first), &second) in halved.iter_mut().zip(first).zip(second) {
            *halved = f(second, first);
        }
    }
}
