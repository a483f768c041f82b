//! Integers: two's complement in the low bits.

use tile_dialect::Element;

/// Returns a mask of the low `bits` bits.
pub(super) fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits.clamp(1, 64))
}

/// The signed value of an integer element's bits; `i1` is 0 or 1. Bits above the element's width are ignored.
pub fn decode_int(element: Element, bits: u64) -> i64 {
    if element == Element::I1 {
        return (bits & 1) as i64;
    }
    let unused = 64 - element.bits();
    ((bits << unused) as i64) >> unused
}

/// Returns the low bits of `value`, wrapping in two's complement.
pub fn encode_int(element: Element, value: i64) -> u64 {
    value as u64 & mask(element.bits())
}

/// Returns the smallest value of an integer element read as signed and the largest one read as unsigned.
pub fn int_range(element: Element) -> (i128, i128) {
    let bits = element.bits();
    let low = if element == Element::I1 { 0 } else { -(1i128 << (bits - 1)) };
    (low, (1i128 << bits) - 1)
}

pub(super) fn encode_real(element: Element, value: f64) -> u64 {
    // Multiples of 2^64 wrap to zero, and every float of this magnitude is one; NaN and infinities become zero too. `as
    // i128` would saturate.
    if !value.is_finite() || value.abs() >= 2f64.powi(127) {
        return 0;
    }
    value as i128 as u64 & mask(element.bits())
}
