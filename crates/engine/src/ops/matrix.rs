//! Matrix multiplication: factors of any type are converted to `f32` or `f64`, where their products are exact or
//! rounded once together with the sum.

use crate::ops::chapter::Chapter;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::gemm;
use crate::ops::gemm::{Dims, Second};
use crate::ops::kernel::{Kernel, OpResult};
use crate::simd;
use crate::simd::narrow::{brain_to_single, half_to_single, single_to_half};
use crate::values::tile::{Scalar, ScalarKind, Tile, full};
use std::borrow::Cow;
use tile_analysis::number::decode;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName};

pub(crate) static CHAPTER: Chapter =
    Chapter { ops: &[(M::Mmaf, mmaf), (M::MmafScaled, mmaf_scaled), (M::Mmai, mmai)], elementwise: false };

fn dims(left: &Tiled, right: &Tiled) -> Dims {
    let (left, right) = (left.extents(), right.extents());
    let (m, k, n) = (left[left.len() - 2], left[left.len() - 1], right[right.len() - 1]);
    let batch = left[..left.len() - 2].iter().product();
    Dims { batch, m, n, k }
}

fn mmaf(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(product(cx, false))
}

fn mmai(cx: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(product(cx, false))
}

/// The kernel of `mmaf` or `mmai`. `is_prepared`: the second factor is prepared.
pub(crate) fn product(cx: &OpContext<'_>, is_prepared: bool) -> Kernel {
    let (left, right, acc) = (cx.operand(OperandName::Lhs), cx.operand(OperandName::Rhs), cx.result(0));
    let factors = Preparation::both(cx);
    let shape = Shape { dims: dims(&left, &right), left: left.count, right: right.count, is_prepared };
    Box::new(move |_, inputs, results| {
        let mut sum = inputs[2].take_tile();
        let [a, b] = [0, 1].map(|side| factors[side].widened(inputs[side].tile()));
        match acc.element {
            Element::F64 => shape.add_product(&a, &b, filled::<f64>(&mut sum, acc.count)),
            Element::F32 => shape.add_product(&a, &b, filled::<f32>(&mut sum, acc.count)),
            Element::I32 => shape.add_product(&a, &b, filled::<u32>(&mut sum, acc.count)),
            _ => {
                // f16 is summed in f32, and rounded at the end.
                let mut wide = simd::map(&sum, half_to_single);
                shape.add_product(&a, &b, filled::<f32>(&mut wide, acc.count));
                sum = simd::map(&wide, single_to_half);
            }
        }
        results.push(sum.into());
        Ok(())
    })
}

/// The shape of a product.
struct Shape {
    dims: Dims,
    /// The number of elements of each factor.
    left: usize,
    right: usize,
    /// Whether the second factor is prepared.
    is_prepared: bool,
}

impl Shape {
    fn add_product<T: Scalar + gemm::Factor>(&self, a: &Tile, b: &Tile, sum: &mut [T]) {
        let a = full(T::of(a), self.left);
        if self.is_prepared {
            gemm::add_product(self.dims, &a, Second::Packed(T::of(b)), sum);
        } else {
            gemm::add_product(self.dims, &a, Second::Rows(&full(T::of(b), self.right)), sum);
        }
    }
}

/// How a factor is prepared for a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Preparation {
    element: Element,
    /// Whether integers are signed.
    signed: bool,
    /// The extents of the product if this is the second factor. Packing does not depend on `m`, which is 1.
    second: Option<Dims>,
}

impl Preparation {
    /// How the factors of `mmaf` or `mmai` are prepared.
    pub(crate) fn both(cx: &OpContext<'_>) -> [Preparation; 2] {
        let [left, right] = [OperandName::Lhs, OperandName::Rhs].map(|name| cx.operand(name));
        let signed = |attr| cx.op.op == M::Mmai && cx.signed(attr);
        let second = Some(Dims { m: 1, ..dims(&left, &right) });
        [
            Preparation { element: left.element, signed: signed(AttrName::SignednessLhs), second: None },
            Preparation { element: right.element, signed: signed(AttrName::SignednessRhs), second },
        ]
    }

    /// The type in which it is multiplied.
    fn wide(self) -> ScalarKind {
        match self.element {
            Element::F64 => ScalarKind::F64,
            Element::I8 => ScalarKind::U32,
            _ => ScalarKind::F32,
        }
    }

    /// The elements in the type in which they are multiplied, which represents all of them exactly, unless they already
    /// have it.
    fn widened(self, tile: &Tile) -> Cow<'_, Tile> {
        if tile.kind() == self.wide() {
            return Cow::Borrowed(tile);
        }
        let signed = self.signed;
        Cow::Owned(match self.element {
            Element::F16 => simd::map(tile, half_to_single),
            Element::BF16 => simd::map(tile, brain_to_single),
            Element::TF32 => simd::map(tile, |bits: u32| f32::from_bits(bits & !0x1FFF)),
            Element::I8 => simd::map(tile, move |x: u8| if signed { x as i8 as u32 } else { x.into() }),
            element => {
                let table: Vec<f32> = (0..256).map(|bits| decode(element, bits) as f32).collect();
                simd::map(tile, move |bits: u8| table[usize::from(bits)])
            }
        })
    }

    /// The prepared factor: widened, and packed if it is the second one.
    pub(crate) fn prepare(self, tile: Tile) -> Tile {
        let wide = match self.widened(&tile) {
            Cow::Owned(wide) => Some(wide),
            Cow::Borrowed(_) => None,
        };
        let wide = wide.unwrap_or(tile);
        let Some(dims) = self.second else { return wide };
        match self.wide() {
            ScalarKind::F64 => packed::<f64>(dims, &wide),
            ScalarKind::U32 => packed::<u32>(dims, &wide),
            _ => packed::<f32>(dims, &wide),
        }
    }
}

fn packed<T: Scalar + gemm::Factor>(dims: Dims, tile: &Tile) -> Tile {
    T::tile(gemm::pack(dims, &full(T::of(tile), dims.batch * dims.n * dims.k)))
}

/// All elements of a sum, for writing.
fn filled<T: Scalar>(sum: &mut Tile, count: usize) -> &mut [T] {
    if sum.stored() != count {
        *sum = T::tile(vec![T::of(sum)[0]; count]);
    }
    T::of_mut(sum)
}

/// Factors times scales are exact in `f64`; the sum is rounded to `f32` at the end.
fn mmaf_scaled(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let [left, right, acc] = [OperandName::Lhs, OperandName::Rhs, OperandName::Acc].map(|name| cx.operand(name));
    let [left_scale, right_scale] = [OperandName::LhsScale, OperandName::RhsScale].map(|name| cx.operand(name));
    let dims = dims(&left, &right);
    let blocks = left_scale.extents().last().copied().unwrap_or(1);
    let block = dims.k / blocks.max(1);
    Ok(Box::new(move |_, inputs, results| {
        let values = |tile: &Tiled, index: usize| doubles(tile, inputs[index].tile());
        let (mut a, mut b) = (values(&left, 0), values(&right, 1));
        let (a_scale, b_scale) = (values(&left_scale, 3), values(&right_scale, 4));
        a.iter_mut().enumerate().for_each(|(index, x)| *x *= a_scale[index / block]);
        for (index, x) in b.iter_mut().enumerate() {
            let (column, row) = (index % dims.n, index / dims.n);
            *x *= b_scale[row / block * dims.n + column];
        }
        let mut sum: Vec<f64> = full(f32::of(inputs[2].tile()), acc.count).iter().map(|&x| x.into()).collect();
        gemm::add_product(dims, &a, Second::Rows(&b), &mut sum);
        results.push(f32::tile(sum.into_iter().map(|x| x as f32).collect()).into());
        Ok(())
    }))
}

fn doubles(factor: &Tiled, tile: &Tile) -> Vec<f64> {
    let table: Vec<f64> = (0..256).map(|bits| decode(factor.element, bits)).collect();
    full(u8::of(tile), factor.count).iter().map(|&bits| table[usize::from(bits)]).collect()
}
