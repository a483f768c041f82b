//! The roles of ops in fused strips.

use crate::memory::rows::Rows;
use crate::ops::context::OpContext;
use crate::ops::float::is_plain;
use crate::ops::window::Reach;
use crate::optimize::affine::fast_path;
use crate::simd::arch;
use crate::values::tile::Scalar;
use crate::values::value::Value;
use pulp::{Simd, WithSimd};
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName, rounding};

/// The role of an op in fused ops.
pub(crate) enum FusedRole {
    Load(Find),
    Compute(Lanes),
    /// With the index of the tile among the operands.
    Store(Find, usize),
}

/// Finds the rows in memory of an op with these operands.
pub(crate) type Find = Box<dyn Fn(&[Value]) -> Option<Rows> + Send + Sync>;

/// Computes elements from those of at most three operands.
pub(crate) type Lanes = Box<dyn Fn(&mut [f32], [&[f32]; 3]) + Send + Sync>;

/// Fusing smaller tiles is not worthwhile.
const MIN_ELEMENTS: usize = 64;

/// The role that an op can have.
pub(crate) fn of(cx: &OpContext<'_>) -> Option<FusedRole> {
    Some(match cx.op.op {
        M::LoadPtrTko => FusedRole::Load(through_pointers(cx)?),
        M::LoadViewTko => FusedRole::Load(through_view(cx)?),
        M::StorePtrTko => FusedRole::Store(through_pointers(cx)?, cx.place(OperandName::Value)),
        M::StoreViewTko => FusedRole::Store(through_view(cx)?, cx.place(OperandName::Tile)),
        _ => FusedRole::Compute(lanes(cx)?),
    })
}

fn through_view(cx: &OpContext<'_>) -> Option<Find> {
    let reach = Reach::of(cx).ok()?;
    let large = reach.extents.iter().product::<usize>() >= MIN_ELEMENTS;
    let fits = large && reach.element == Element::F32 && cx.is_weak();
    fits.then(|| -> Find { Box::new(move |inputs| reach.window(inputs).ok()?.in_rows(&reach.extents, f32::BYTES)) })
}

fn through_pointers(cx: &OpContext<'_>) -> Option<Find> {
    let (pointers, mask) = (cx.operand(0), cx.optional(OperandName::Mask));
    let fits = pointers.count >= MIN_ELEMENTS && pointers.pointee == Some(Element::F32) && cx.is_weak();
    let find =
        move |inputs: &[Value]| fast_path::pointers(&inputs[0], mask.map(|place| &inputs[place]))?.in_rows(f32::BYTES);
    fits.then(|| -> Find { Box::new(find) })
}

/// The function of an op that rounds like the processor.
fn lanes(cx: &OpContext<'_>) -> Option<Lanes> {
    let found = match cx.op.op {
        M::Addf => each(|x, y, _| x + y),
        M::Divf => each(|x, y, _| x / y),
        M::Fma => each(|x, y, z| x.mul_add(y, z)),
        M::Mulf => each(|x, y, _| x * y),
        M::Subf => each(|x, y, _| x - y),
        _ => return None,
    };
    let fits = cx.result(0).element == Element::F32 && is_plain(cx);
    (fits && cx.choice(AttrName::RoundingMode) != rounding::APPROX).then_some(found)
}

fn each(f: impl Fn(f32, f32, f32) -> f32 + Copy + Send + Sync + 'static) -> Lanes {
    Box::new(move |out, operands| arch().dispatch(Each { out, operands, f }))
}

struct Each<'a, F> {
    out: &'a mut [f32],
    operands: [&'a [f32]; 3],
    f: F,
}

impl<F: Fn(f32, f32, f32) -> f32> WithSimd for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let [a, b, c] = self.operands;
        for (((out, &a), &b), &c) in self.out.iter_mut().zip(a).zip(b).zip(c) {
            *out = (self.f)(a, b, c);
        }
    }
}
