//! Ops that rearrange, slice and combine tiles.

use crate::findings::{at_element, pointer_overflow, slice_outside_tile};
use crate::memory::unit::Unit;
use crate::ops::chapter::Chapter;
use crate::ops::context::OpContext;
use crate::ops::kernel::{Kernel, OpResult, hand_on, pure};
use crate::ops::precondition::Precondition;
use crate::values::pool::{PoolElement, vector};
use crate::values::tile::{Scalar, ScalarKind, Tile, at, full, with_kind};
use crate::values::value::Value;
use tile_analysis::ir::Attr;
use tile_dialect::{AttrName, Element, Mnemonic as M, OperandName};

pub(crate) static CHAPTER: Chapter = Chapter {
    ops: &[
        (M::Broadcast, broadcast),
        (M::Cat, cat),
        (M::Extract, extract),
        (M::Insert, insert),
        (M::Offset, offset),
        (M::Pack, pack),
        (M::Permute, permute),
        (M::Reshape, reshape),
        (M::Unpack, unpack),
    ],
    elementwise: false,
};

/// The row-major strides of a shape.
pub(crate) fn row_major(extents: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; extents.len()];
    for dim in (1..extents.len()).rev() {
        strides[dim - 1] = strides[dim] * extents[dim];
    }
    strides
}

/// Gathers elements at `start + index * strides` for every index of a shape, in row-major order.
pub(crate) fn gather<T: Copy>(elements: &[T], start: usize, extents: &[usize], strides: &[usize], out: &mut Vec<T>) {
    match (extents, strides) {
        ([], _) | (_, []) => out.push(elements[start]),
        (&[extent], &[0]) => out.extend(std::iter::repeat_n(elements[start], extent)),
        (&[extent], &[1]) => out.extend_from_slice(&elements[start..start + extent]),
        (&[extent], &[stride]) => out.extend((0..extent).map(|index| elements[start + index * stride])),
        (&[extent, ref inner @ ..], &[stride, ref steps @ ..]) => {
            for index in 0..extent {
                gather(elements, start + index * stride, inner, steps, out);
            }
        }
    }
}

/// A tile whose elements are gathered from another tile.
fn gathered(tile: &Tile, start: usize, extents: &[usize], strides: &[usize]) -> Tile {
    if tile.stored() == 1 {
        return tile.clone();
    }
    with_kind!(tile.kind(), T => {
        let mut out = vector::<T>(extents.iter().product());
        out.clear();
        gather(T::of(tile), start, extents, strides, &mut out);
        T::tile(out)
    })
}

fn reshape(_: &OpContext<'_>) -> OpResult<Kernel> {
    Ok(hand_on(|_| 0))
}

fn broadcast(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (from, to) = (cx.operand(OperandName::Source).extents(), cx.result(0).extents());
    let steps = row_major(&from).into_iter().zip(&from);
    let strides: Vec<usize> = steps.map(|(stride, &extent)| if extent == 1 { 0 } else { stride }).collect();
    Ok(pure(move |inputs| Ok(gathered(inputs[0].tile(), 0, &to, &strides))))
}

fn permute(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let from = row_major(&cx.operand(OperandName::Source).extents());
    let strides: Vec<usize> = match cx.attr(AttrName::Permutation) {
        Attr::IntList(dims) => dims.iter().map(|&dim| from[dim as usize]).collect(),
        _ => from,
    };
    let to = cx.result(0).extents();
    Ok(pure(move |inputs| Ok(gathered(inputs[0].tile(), 0, &to, &strides))))
}

fn cat(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (left, right) = (cx.operand(OperandName::Lhs), cx.operand(OperandName::Rhs));
    let dim = cx.int(AttrName::Dim) as usize;
    let row = |extents: Vec<usize>| extents[dim..].iter().product::<usize>();
    let (left_row, right_row) = (row(left.extents()), row(right.extents()));
    Ok(pure(move |inputs| {
        let (a, b) = (inputs[0].tile(), inputs[1].tile());
        Ok(with_kind!(a.kind(), T => {
            let (a, b) = (full(T::of(a), left.count), full(T::of(b), right.count));
            let mut out = Vec::with_capacity(left.count + right.count);
            for (a, b) in a.chunks(left_row).zip(b.chunks(right_row)) {
                out.extend_from_slice(a);
                out.extend_from_slice(b);
            }
            T::tile(out)
        }))
    }))
}

/// The start of the slice with these (unsigned) indices.
fn slice_start(indices: &[Value], whole: &[usize], slice: &[usize]) -> OpResult<usize> {
    let strides = row_major(whole);
    let mut start = 0;
    for (dim, index) in indices.iter().enumerate() {
        let index = index.tile().bits(0) as usize;
        let slices = whole[dim] / slice[dim];
        if index >= slices {
            return Err(slice_outside_tile::fault(dim, index, slices));
        }
        start += index * slice[dim] * strides[dim];
    }
    Ok(start)
}

fn extract(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (whole, slice) = (cx.operand(OperandName::Source).extents(), cx.result(0).extents());
    let strides = row_major(&whole);
    Ok(pure(move |inputs| {
        let start = slice_start(&inputs[1..], &whole, &slice)?;
        Ok(gathered(inputs[0].tile(), start, &slice, &strides))
    }))
}

fn insert(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let (slice, whole) = (cx.operand(OperandName::Source), cx.result(0));
    let (extents, count) = (whole.extents(), whole.count);
    let strides = row_major(&extents);
    Ok(Box::new(move |_, inputs, results| {
        let start = slice_start(&inputs[2..], &extents, &slice.extents())?;
        let mut into = inputs[1].take_tile();
        let source = inputs[0].tile();
        with_kind!(source.kind(), T => {
            if into.stored() != count {
                into = T::tile(full(T::of(&into), count).into_owned());
            }
            let source = full(T::of(source), slice.count);
            let mut source = source.iter().copied();
            scatter(T::of_mut(&mut into), start, &slice.extents(), &strides, &mut source);
        });
        results.push(into.into());
        Ok(())
    }))
}

/// Scatters elements to `start + index * strides` for every index of a shape, in row-major order.
fn scatter<T: Copy>(
    into: &mut [T],
    start: usize,
    extents: &[usize],
    strides: &[usize],
    elements: &mut impl Iterator<Item = T>,
) {
    match (extents, strides) {
        (&[extent, ref inner @ ..], &[stride, ref steps @ ..]) => {
            for index in 0..extent {
                scatter(into, start + index * stride, inner, steps, elements);
            }
        }
        _ => {
            if let Some(element) = elements.next() {
                into[start] = element;
            }
        }
    }
}

fn offset(cx: &OpContext<'_>) -> OpResult<Kernel> {
    use crate::ops::integer::{Int, with_int};
    // Elements have 1, 2, 4 or 8 bytes, and every vector unit has shifts.
    let shift = cx.result(0).pointee.map_or(1, Element::bytes).trailing_zeros();
    Ok(
        with_int!(cx.operand(OperandName::Offset).element, I => crate::ops::kernel::zip_same(move |pointer: u64, by: I| {
            pointer.wrapping_add((by.signed() as u64).wrapping_shl(shift))
        })),
    )
}

/// The precondition that pointers do not overflow 64 bits.
pub(crate) fn address(cx: &OpContext<'_>) -> Precondition {
    use crate::ops::integer::{Int, with_int};
    let (element, result) = (cx.operand(OperandName::Offset).element, cx.result(0));
    let pointee = result.pointee.unwrap_or(Element::I8);
    let size = pointee.bytes();
    let wraps = move |pointer: u64, by: i64| {
        let bytes = by.checked_mul(size as i64);
        bytes.and_then(|bytes| pointer.checked_add_signed(bytes)).is_none()
    };
    let broken = move |inputs: &[Value]| -> Tile {
        let (pointers, by) = (inputs[0].tile(), inputs[1].tile());
        with_int!(element, I => {
            // Usually all numbers are small and not negative, which a single OR of their bits shows.
            let bits = |all: u64, bits: u64| all | bits;
            let most = u64::of(pointers).iter().copied().fold(0, bits);
            let furthest = I::low(I::of(by).iter().map(|by| PoolElement::bits(*by)).fold(0, bits)).signed();
            if most < 1 << 62 && (0..1 << 48).contains(&furthest) {
                return Tile::splat(ScalarKind::Bool, 0);
            }
            crate::simd::zip(pointers, by, |pointer: u64, by: I| wraps(pointer, by.signed()))
        })
    };
    let fault = move |inputs: &[Value], index: usize| {
        let pointer = at(u64::of(inputs[0].tile()), index);
        let by = with_int!(element, I => at(I::of(inputs[1].tile()), index).signed());
        pointer_overflow::fault(Unit::of(pointee).address(pointer), by, pointee, &at_element(index, &result.shape))
    };
    Precondition::late(broken, fault)
}

/// The bits of one element in a packed tile. `tf32` takes 32 bits, as in memory.
fn packed_bits(element: Element) -> usize {
    match element {
        Element::I1 => 1,
        Element::I4 | Element::F4E2M1FN => 4,
        _ => element.bytes() * 8,
    }
}

fn pack(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let source = cx.operand(OperandName::Source);
    let bytes = cx.result(0).count;
    let bits = packed_bits(source.element);
    Ok(pure(move |inputs| {
        let tile = inputs[0].tile();
        let stored = |index: usize| tile.bits(index);
        let mut out = vec![0u8; bytes];
        for index in 0..source.count {
            let (place, value) = (index * bits, stored(index));
            if bits < 8 {
                out[place / 8] |= (value as u8) << (place % 8);
            } else {
                out[place / 8..][..bits / 8].copy_from_slice(&value.to_le_bytes()[..bits / 8]);
            }
        }
        Ok(u8::tile(out))
    }))
}

fn unpack(cx: &OpContext<'_>) -> OpResult<Kernel> {
    let result = cx.result(0);
    let bytes = cx.operand(OperandName::Source).count;
    let bits = packed_bits(result.element);
    Ok(pure(move |inputs| {
        let source = full(u8::of(inputs[0].tile()), bytes);
        let element = |index: usize| {
            let place = index * bits;
            if bits < 8 {
                return u64::from(source[place / 8] >> (place % 8)) & ((1 << bits) - 1);
            }
            let mut word = [0; 8];
            word[..bits / 8].copy_from_slice(&source[place / 8..][..bits / 8]);
            u64::from_le_bytes(word)
        };
        Ok(with_kind!(result.kind, T => T::tile((0..result.count).map(|index| T::of_bits(element(index))).collect())))
    }))
}
