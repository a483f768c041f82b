//! Matrix multiplication.

use super::{Cx, Found};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::Element::{self, *};

pub(super) fn mma(cx: &Cx, op: &Op, found: Found) {
    let (Some(a), Some(b), Some(c)) = (cx.tile(op, 0), cx.tile(op, 1), cx.tile(op, 2)) else { return };
    let rank = a.rank();
    if rank != 2 && rank != 3 {
        return found.push(d::mma_rank(cx.places.name.clone(), rank));
    }
    let (m, k, n) = (rank - 2, rank - 1, rank - 1);
    let pairs = [
        (rank == 3 && a.shape[0] != b.shape[0], "the batches of the left and the right matrix"),
        (rank == 3 && a.shape[0] != c.shape[0], "the batches of the left matrix and the accumulator"),
        (a.shape[k] != b.shape[m], "the columns of the left and the rows of the right matrix"),
        (a.shape[m] != c.shape[m], "the rows of the left matrix and of the accumulator"),
        (b.shape[n] != c.shape[n], "the columns of the right matrix and of the accumulator"),
    ];
    if let Some((_, what)) = pairs.into_iter().find(|(differ, _)| *differ) {
        return found.push(d::mma_shape(cx.places.name.clone(), what, a, b, c));
    }
    if let (Some(factor), Some(sum)) = (a.number(), c.number())
        && !accumulates(factor, sum)
    {
        found.push(d::mma_elements(cx.places.name.clone(), factor, sum));
    }
}

/// Whether products of `factor` may be accumulated in `sum`.
fn accumulates(factor: Element, sum: Element) -> bool {
    match factor {
        F8E4M3FN | F8E5M2 | F16 => matches!(sum, F16 | F32),
        BF16 | TF32 | F32 => sum == F32,
        F64 => sum == F64,
        I8 => sum == I32,
        _ => false,
    }
}
