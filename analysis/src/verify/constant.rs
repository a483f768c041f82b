//! Constants: the literal and the type of the tile must agree.

use super::{Cx, Found};
use crate::diagnostics as d;
use crate::ir::Op;
use crate::lower::Literal;
use crate::types::TileType;

pub(super) fn constant(cx: &Cx, op: &Op, found: Found) {
    if let (Some(literal), Some(tile)) = (&cx.places.literal, cx.result_tile(op, 0)) {
        found.extend(literal_fits(literal, tile, cx.result_place(0)));
    }
}

/// What is wrong between a literal and the tile that it fills.
pub(crate) fn literal_fits(
    literal: &Literal,
    tile: &TileType,
    place: std::ops::Range<u32>,
) -> Option<crate::diagnostic::Diagnostic> {
    if tile.number() != Some(literal.dense.element) {
        return Some(d::constant_element(place, literal.dense.element, tile));
    }
    match &literal.shape {
        Some(shape) if **shape != *tile.shape => Some(d::constant_shape(literal.range.clone(), shape, tile, place)),
        _ => None,
    }
}
