//! Checks `pack` and `unpack`.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::Op;
use crate::types::TileType;
use tile_dialect::Element;

/// Checks that both tiles have rank 1, the same number of bytes and elements of different widths.
pub(super) fn same_bytes(cx: &Cx, op: &Op, found: Diagnostics) {
    let name = op.op.row().name;
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    if from.rank() != 1 {
        return found.push(d::pack_rank(cx.result_place(0), name, from));
    }
    let (Some(from_bits), Some(to_bits)) = (stored_bits(from), stored_bits(to)) else { return };
    if from.number().map(Element::bits) == to.number().map(Element::bits) {
        return found.push(d::pack_width(cx.result_place(0), name, from, to));
    }
    if from_bits % 8 != 0 || to_bits % 8 != 0 || from_bits != to_bits {
        found.push(d::pack_size(cx.result_place(0), name, (from, from_bits), (to, to_bits)));
    }
}

/// The number of bits that a tile occupies in memory.
fn stored_bits(tile: &TileType) -> Option<u64> {
    let element = match tile.number()? {
        Element::TF32 => 32,
        element => element.bits(),
    };
    Some(u64::from(element) * tile.len() as u64)
}
