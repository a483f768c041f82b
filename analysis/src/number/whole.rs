//! Exact conversion of whole numbers.

use super::encode;
use super::int::mask;
use tile_dialect::Element;

/// Returns the bits of the element nearest to a whole number, rounded once; integers wrap.
pub fn encode_whole(element: Element, value: i128) -> u64 {
    match element {
        _ if element.is_int() => value as u64 & mask(element.bits()),
        Element::F64 => (value as f64).to_bits(),
        _ => encode(element, to_odd(value)),
    }
}

/// Rounds a whole number to `f64` with rounding to odd: an inexact result has its last bit set. Rounding that to fewer
/// bits gives the same result as rounding the number itself.
fn to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let dropped = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = magnitude >> dropped;
    let odd = kept | u128::from(kept << dropped != magnitude);
    let rounded = odd as f64 * 2f64.powi(dropped as i32);
    if value < 0 { -rounded } else { rounded }
}
