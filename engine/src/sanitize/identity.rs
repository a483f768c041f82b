//! Whether the result of a reduction or a scan depends on whether its identity is applied.

use crate::exec::fold::Fold;
use crate::findings::{Fault, not_associative};
use crate::ops::context::Tiled;
use crate::sanitize::touch::shown;
use crate::values::tile::{ScalarKind, Tile};
use tile_analysis::number::decode;
use tile_dialect::Element;

/// Whether a result of a reduction or a scan differs with the identity from what it is without it; `Some` if one does.
/// Behind the tiles may be the origins of their elements: what is unspecified may differ.
pub(crate) fn identity_matters(fold: &Fold, without: &[Tile], with: &[Tile]) -> Option<Box<Fault>> {
    let elements = fold.elements();
    let is_specified = |index: usize| {
        let origins = without[elements.len()..].iter().chain(&with[elements.len()..]);
        origins.into_iter().all(|origins| bits_at(origins, index) == 0)
    };
    let differs = |index: &usize| {
        let mut pairs = elements.iter().zip(without.iter().zip(with));
        pairs.any(|(tile, (a, b))| !alike(tile, bits_at(a, *index), bits_at(b, *index))) && is_specified(*index)
    };
    let (outer, extent, inner) = fold.extents();
    let count = if fold.is_scan() { outer * extent * inner } else { outer * inner };
    let index = (0..count).find(differs)?;
    let shown = |row: &[Tile], index: usize| shown_together(elements, row, index);
    let place = if count == 1 { String::new() } else { format!(", in result {index} of {count}") };
    Some(not_associative::applied(&shown(fold.identities(), 0), &shown(without, index), &shown(with, index), &place))
}

pub(crate) fn bits_at(tile: &Tile, index: usize) -> u64 {
    tile.bits(if tile.stored() == 1 { 0 } else { index })
}

/// Whether two elements are the same but for rounding, the sign of a zero, and which NaN they are.
fn alike(tile: &Tiled, a: u64, b: u64) -> bool {
    if a == b || tile.pointee.is_some() || !tile.element.is_float() {
        return a == b;
    }
    let [x, y] = [a, b].map(|bits| decode(tile.element, bits));
    let scale = x.abs().max(y.abs());
    x == y || x.is_nan() && y.is_nan() || scale.is_finite() && (x - y).abs() <= tolerance(tile.element, scale)
}

/// Elements of all operands at one place.
pub(crate) fn shown_together(elements: &[Tiled], row: &[Tile], index: usize) -> String {
    let shown: Vec<String> = elements.iter().zip(row).map(|(tile, bits)| shown(tile, bits_at(bits, index))).collect();
    if shown.len() == 1 { shown.concat() } else { format!("({})", shown.join(", ")) }
}

/// How far apart results may lie that rounding makes differ, where the numbers that they come from are of this size.
/// Sums of squares cancel, so that the squares count too.
pub(crate) fn tolerance(element: Element, scale: f64) -> f64 {
    match ScalarKind::of(element) {
        ScalarKind::F64 => 1e-6 * scale + 1e-13 * scale * scale,
        ScalarKind::F32 => 1e-3 * scale + 1e-5 * scale * scale,
        _ => 5e-2 * scale,
    }
}
