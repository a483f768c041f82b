//! Matrix multiplication: factors of any type are converted to `f32` or `f64`, where their products are exact or
//! rounded once together with the sum.

use crate::ops::chapter::Chapter;
use crate::ops::context::{OpContext, Tiled};
use crate::ops::gemm;
use crate::ops::gemm::Dims;
use crate::ops::kernel::{Kernel, OpResult};
use crate::simd;
use crate::simd::narrow::{brain_to_single, half_to_single, single_to_half};
use crate::values::tile::{Scalar, Tile, full};
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
    let (left, right, acc) = (cx.operand(OperandName::Lhs), cx.operand(OperandName::Rhs), cx.result(0));
    let dims = dims(&left, &right);
    Ok(Box::new(move |_, inputs, results| {
        let mut sum = inputs[2].take_tile();
        let (a, b) = (inputs[0].tile(), inputs[1].tile());
        match acc.element {
            Element::F64 => {
                let (a, b) = (full(f64::of(a), left.count), full(f64::of(b), right.count));
                gemm::add_product(dims, &a, &b, filled::<f64>(&mut sum, acc.count));
            }
            Element::F32 => {
                let (a, b) = (singles(&left, a), singles(&right, b));
                gemm::add_product(dims, &a, &b, filled::<f32>(&mut sum, acc.count));
            }
            _ => {
                // f16 is summed in f32, and rounded at the end.
                let mut wide = simd::map(&sum, half_to_single);
                let (a, b) = (singles(&left, a), singles(&right, b));
                gemm::add_product(dims, &a, &b, filled::<f32>(&mut wide, acc.count));
                sum = simd::map(&wide, single_to_half);
            }
        }
        results.push(sum.into());
        Ok(())
    }))
}

/// All elements of a sum, for writing.
fn filled<T: Scalar>(sum: &mut Tile, count: usize) -> &mut [T] {
    if sum.stored() != count {
        *sum = T::tile(vec![T::of(sum)[0]; count]);
    }
    T::of_mut(sum)
}

/// All elements of a factor as `f32`, which represents all of its types exactly.
fn singles<'a>(factor: &Tiled, tile: &'a Tile) -> Cow<'a, [f32]> {
    let wide = match factor.element {
        Element::F32 => return full(f32::of(tile), factor.count),
        Element::F16 => simd::map(tile, half_to_single),
        Element::BF16 => simd::map(tile, brain_to_single),
        Element::TF32 => simd::map(tile, |bits: u32| f32::from_bits(bits & !0x1FFF)),
        element => {
            let table: Vec<f32> = (0..256).map(|bits| decode(element, bits) as f32).collect();
            simd::map(tile, move |bits: u8| table[usize::from(bits)])
        }
    };
    full(f32::of(&wide), factor.count).into_owned().into()
}

fn mmai(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (left, right, acc) = (cx.operand(OperandName::Lhs), cx.operand(OperandName::Rhs), cx.result(0));
    let signed = [cx.signed(AttrName::SignednessLhs), cx.signed(AttrName::SignednessRhs)];
    let dims = dims(&left, &right);
    let widen = |tile: &Tile, count: usize, signed: bool| -> Vec<i32> {
        let read = |x: u8| if signed { i32::from(x as i8) } else { i32::from(x) };
        full(u8::of(tile), count).iter().map(|&x| read(x)).collect()
    };
    Ok(Box::new(move |_, inputs, results| {
        let sum = inputs[2].tile();
        let a = widen(inputs[0].tile(), left.count, signed[0]);
        let b = widen(inputs[1].tile(), right.count, signed[1]);
        let mut wide: Vec<i32> = full(u32::of(sum), acc.count).iter().map(|&x| x as i32).collect();
        gemm::add_product(dims, &a, &b, &mut wide);
        results.push(u32::tile(wide.into_iter().map(|x| x as u32).collect()).into());
        Ok(())
    }))
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
        gemm::add_product(dims, &a, &b, &mut sum);
        results.push(f32::tile(sum.into_iter().map(|x| x as f32).collect()).into());
        Ok(())
    }))
}

fn doubles(factor: &Tiled, tile: &Tile) -> Vec<f64> {
    let table: Vec<f64> = (0..256).map(|bits| decode(factor.element, bits)).collect();
    full(u8::of(tile), factor.count).iter().map(|&bits| table[usize::from(bits)]).collect()
}
