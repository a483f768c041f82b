//! Checks whether the result of a reduction or a scan depends on whether its identity is applied.

use crate::exec::fold::Fold;
use crate::findings::{Fault, not_associative};
use crate::ops::context::Tiled;
use crate::values::tile::{ScalarKind, Tile};
use tile_analysis::number::{decode, decode_int, shortest};
use tile_dialect::Element;

/// Whether the result of a reduction or a scan with the identity differs from the one without it; `Some` if so. The
/// tiles can be followed by the origins of their elements: unspecified elements may differ.
pub(crate) fn identity_matters(fold: &Fold, without: &[Tile], with: &[Tile]) -> Option<Box<Fault>> {
    let elements = fold.elements();
    let is_specified = |index: usize| {
        let origins = without[elements.len()..].iter().chain(&with[elements.len()..]);
        origins.into_iter().all(|origins| origins.bits(index) == 0)
    };
    let differs = |index: &usize| {
        let mut pairs = elements.iter().zip(without.iter().zip(with));
        pairs.any(|(tile, (a, b))| !alike_results(tile, a.bits(*index), b.bits(*index))) && is_specified(*index)
    };
    let (outer, extent, inner) = fold.extents();
    let count = if fold.is_scan() { outer * extent * inner } else { outer * inner };
    let index = (0..count).find(differs)?;
    let shown = |row: &[Tile], index: usize| shown_together(elements, row, index);
    let place = if count == 1 { String::new() } else { format!(", in result {index} of {count}") };
    Some(not_associative::applied(&shown(fold.identities(), 0), &shown(without, index), &shown(with, index), &place))
}

/// Whether two results are equal except for rounding, given their own magnitude.
fn alike_results(tile: &Tiled, a: u64, b: u64) -> bool {
    let scale = [a, b].map(|bits| if tile.element.is_float() { decode(tile.element, bits).abs() } else { 0.0 });
    alike(tile, a, b, scale[0].max(scale[1]))
}

/// Whether two elements that were computed from numbers of this magnitude are equal except for rounding, the sign of a
/// zero, and the kind of NaN.
pub(crate) fn alike(tile: &Tiled, a: u64, b: u64, scale: f64) -> bool {
    if a == b || !tile.element.is_float() {
        return a == b;
    }
    let [x, y] = [a, b].map(|bits| decode(tile.element, bits));
    x == y || x.is_nan() && y.is_nan() || scale.is_finite() && (x - y).abs() <= tolerance(tile.element, scale)
}

/// Elements of all operands at one position.
pub(crate) fn shown_together(elements: &[Tiled], row: &[Tile], index: usize) -> String {
    let shown: Vec<String> = elements.iter().zip(row).map(|(tile, bits)| shown(tile, bits.bits(index))).collect();
    if shown.len() == 1 { shown.concat() } else { format!("({})", shown.join(", ")) }
}

fn shown(tile: &Tiled, bits: u64) -> String {
    match tile.element {
        element if element.is_int() => decode_int(element, bits).to_string(),
        element => shortest::real(element, decode(element, bits)),
    }
}

/// The difference that rounding can explain, for inputs of this magnitude. Sums of squares can cancel, so the squares
/// are included.
pub(crate) fn tolerance(element: Element, scale: f64) -> f64 {
    match ScalarKind::of(element) {
        ScalarKind::F64 => 1e-6 * scale + 1e-13 * scale * scale,
        ScalarKind::F32 => 1e-3 * scale + 1e-5 * scale * scale,
        _ => 5e-2 * scale,
    }
}
