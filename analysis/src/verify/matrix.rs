//! Checks matrix multiplication.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::Element::{self, *};
use tile_dialect::Mnemonic;

pub(super) fn mma(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(a), Some(b), Some(c)) = (cx.tile(op, 0), cx.tile(op, 1), cx.tile(op, 2)) else { return };
    let rank = a.rank();
    if rank != 2 && rank != 3 {
        return found.push(d::mma_rank(cx.places.name.clone(), rank));
    }
    let (m, k, n) = (rank - 2, rank - 1, rank - 1);
    let pairs = [
        (rank == 3 && a.shape[0] != b.shape[0], "the batch dimensions of the left and right matrices"),
        (rank == 3 && a.shape[0] != c.shape[0], "the batch dimensions of the left matrix and the accumulator"),
        (a.shape[k] != b.shape[m], "the columns of the left matrix and the rows of the right matrix"),
        (a.shape[m] != c.shape[m], "the rows of the left matrix and the accumulator"),
        (b.shape[n] != c.shape[n], "the columns of the right matrix and the accumulator"),
    ];
    if let Some((_, extents)) = pairs.into_iter().find(|(differ, _)| *differ) {
        return found.push(d::mma_shape(cx.places.name.clone(), extents, a, b, c));
    }
    if let (Some(factor), Some(sum)) = (a.number(), c.number())
        && op.op != Mnemonic::MmafScaled
        && !accumulates(factor, sum)
    {
        found.push(d::mma_elements(cx.places.name.clone(), factor, sum));
    }
}

/// Checks the scales of both matrices: their extents, their element type and the elements per scale.
pub(super) fn scales(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(a), Some(b)) = (cx.tile(op, 0), cx.tile(op, 1)) else { return };
    let (Some(sa), Some(sb)) = (cx.tile(op, 3), cx.tile(op, 4)) else { return };
    let place = cx.places.name.clone();
    let rank = a.rank();
    let (row, column) = (rank - 2, rank - 1);
    let pairs = [
        (rank == 3 && a.shape[0] != sa.shape[0], "the batches of the left matrix and its scales", a, sa),
        (rank == 3 && b.shape[0] != sb.shape[0], "the batches of the right matrix and its scales", b, sb),
        (a.shape[row] != sa.shape[row], "the rows of the left matrix and its scales", a, sa),
        (b.shape[column] != sb.shape[column], "the columns of the right matrix and its scales", b, sb),
        (sa.shape[column] != sb.shape[row], "the columns of the left scales and the rows of the right scales", sa, sb),
    ];
    if let Some((_, extents, first, second)) = pairs.into_iter().find(|(differ, ..)| *differ) {
        return found.push(d::scale_extent(place, extents, first, second));
    }
    let (Some(factor), Some(scale)) = (a.number(), sa.number()) else { return };
    let lengths = block_lengths(factor, scale);
    if lengths.is_empty() {
        return found.push(d::scale_element(place, scale, factor));
    }
    let (k, blocks) = (a.shape[column], sa.shape[column]);
    if k % blocks != 0 || !lengths.contains(&(k / blocks)) {
        found.push(d::scale_block(place, k, blocks, factor, lengths));
    }
}

/// The valid numbers of elements per scale; empty if the types cannot be combined.
fn block_lengths(factor: Element, scale: Element) -> &'static [i64] {
    match (factor, scale) {
        (F8E4M3FN | F8E5M2, F8E8M0FNU) => &[32],
        (F4E2M1FN, F8E8M0FNU | FNv8E5M3FNU) => &[16, 32],
        (F4E2M1FN, F8E4M3FN) => &[16],
        _ => &[],
    }
}

/// Reports whether products of `factor` can be accumulated in `sum`.
fn accumulates(factor: Element, sum: Element) -> bool {
    match factor {
        F8E4M3FN | F8E5M2 | F16 => matches!(sum, F16 | F32),
        BF16 | TF32 | F32 => sum == F32,
        F64 => sum == F64,
        I8 => sum == I32,
        _ => false,
    }
}
