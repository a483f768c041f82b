//! Checks ops that create and rearrange tiles.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, Op};
use crate::types::{TileType, Type};
use std::ops::Range;
use tile_dialect::form::Slot;
use tile_dialect::{AttrName, Element};

pub(super) fn iota(cx: &Cx, op: &Op, found: Diagnostics) {
    let Some(tile) = cx.result_tile(op, 0) else { return };
    if tile.rank() != 1 {
        return found.push(d::iota_rank(cx.result_place(0), tile));
    }
    let bits = tile.number().map_or(64, |element| element.bits());
    if bits < 63 && tile.shape[0] > 1 << bits {
        found.push(d::iota_range(cx.result_place(0), tile, bits));
    }
}

pub(super) fn reshape(cx: &Cx, op: &Op, found: Diagnostics) {
    if let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0))
        && from.len() != to.len()
    {
        found.push(d::reshape_count(cx.result_place(0), from, to));
    }
}

pub(super) fn broadcast(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let differs = |(from, to): (&i64, &i64)| *from != 1 && from != to;
    if let Some(dim) = from.shape.iter().zip(&to.shape).position(differs) {
        found.push(d::broadcast_extent(cx.result_place(0), from, to, dim));
    }
}

pub(super) fn permute(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    let Attr::IntList(permutation) = cx.attr(op, AttrName::Permutation) else { return };
    let mut sorted: Vec<i64> = permutation.to_vec();
    sorted.sort_unstable();
    if from.rank() < 2 || sorted != (0..from.rank() as i64).collect::<Vec<_>>() {
        return found.push(d::bad_permutation(cx.attr_place(op, AttrName::Permutation), permutation, from.rank()));
    }
    let expected: Vec<i64> = permutation.iter().map(|&dim| from.shape[dim as usize]).collect();
    if *expected != *to.shape {
        found.push(d::wrong_result_shape(cx.result_place(0), "permute", &expected, to));
    }
}

/// Rejects elements narrower than a byte, which cannot be selected individually.
pub(super) fn select(cx: &Cx, op: &Op, found: Diagnostics) {
    let element = cx.result_tile(op, 0).and_then(|tile| tile.number());
    if element == Some(Element::F4E2M1FN) {
        let instead = "convert to a wider float type first";
        found.push(d::element_not_supported(cx.result_place(0), "select", Element::F4E2M1FN, instead));
    }
}

pub(super) fn cat(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(a), Some(b), Some(to)) = (cx.tile(op, 0), cx.tile(op, 1), cx.result_tile(op, 0)) else { return };
    let Some(dim) = cx.attr(op, AttrName::Dim).as_int() else { return };
    if dim < 0 || dim as usize >= a.rank() {
        return found.push(d::dimension_range(cx.attr_place(op, AttrName::Dim), "cat", dim, a.rank()));
    }
    let mut expected = a.shape.to_vec();
    expected[dim as usize] += b.shape[dim as usize];
    if let Some(other) = (0..a.rank()).find(|&k| k != dim as usize && a.shape[k] != b.shape[k]) {
        return found.push(d::cat_extent(cx.type_place(Slot::Operand(1), 0), dim, other, a, b));
    }
    if *expected != *to.shape {
        found.push(d::wrong_result_shape(cx.result_place(0), "cat", &expected, to));
    }
}

pub(super) fn extract(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(from), Some(to)) = (cx.tile(op, 0), cx.result_tile(op, 0)) else { return };
    slices(cx, op, (from, to), 1, cx.result_place(0), found);
}

pub(super) fn insert(cx: &Cx, op: &Op, found: Diagnostics) {
    let (Some(slice), Some(tile)) = (cx.tile(op, 0), cx.tile(op, 1)) else { return };
    slices(cx, op, (tile, slice), 2, cx.type_place(Slot::Operand(0), 0), found);
}

/// Checks that the slice divides the whole tile, and that each dimension has an index. `indices` is the number of the
/// index operand in the op table.
fn slices(
    cx: &Cx,
    op: &Op,
    (tile, slice): (&TileType, &TileType),
    indices: usize,
    place: Range<u32>,
    found: Diagnostics,
) {
    let name = op.op.row().name;
    if let Some(dim) = (0..tile.rank()).find(|&k| tile.shape[k] % slice.shape[k] != 0) {
        return found.push(d::extract_division(place, tile, slice, dim));
    }
    let indices = cx.body.group(op, indices);
    if indices.len() != tile.rank() {
        let counts = (tile.rank(), indices.len());
        let ty = (0..0, Type::tile_of(&tile.shape, tile.element));
        let list = cx.index_list().filter(|list| cx.on_one_line(&cx.places.name, list));
        let place = list.clone().unwrap_or_else(|| cx.places.name.clone());
        found.push(d::index_count(place, list, name, counts, ty));
    }
}
