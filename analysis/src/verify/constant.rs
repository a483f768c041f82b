//! Checks constants: the literal must match the type of the tile.

use super::context::{Cx, Diagnostics};
use crate::diagnostics as d;
use crate::ir::{Attr, Op};
use crate::lower::Written;
use crate::types::TileType;
use tile_dialect::{AttrName, Element};

pub(super) fn constant(cx: &Cx, op: &Op, found: Diagnostics) {
    if let (Some(written), Attr::Dense(dense), Some(tile)) =
        (&cx.places.literal, cx.attr(op, AttrName::Value), cx.result_tile(op, 0))
    {
        found.extend(literal_fits(dense.element, written, tile, cx.result_place(0)));
    }
}

/// Checks that a literal has the element type and shape of its tile. `place` is the range of the tile's type.
pub(crate) fn literal_fits(
    element: Element,
    written: &Written,
    tile: &TileType,
    place: std::ops::Range<u32>,
) -> Option<crate::diagnostic::Diagnostic> {
    if tile.number() != Some(element) {
        return Some(d::constant_element(place, element, tile));
    }
    match &written.shape {
        Some(shape) if **shape != *tile.shape => Some(d::constant_shape(written.range.clone(), shape, tile, place)),
        _ => None,
    }
}
