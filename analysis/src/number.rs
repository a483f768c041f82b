//! Numbers as bits: conversions between every element type and `f64`, and access to elements in byte buffers.
//!
//! Bits are right-aligned in a `u64`. In registers and in memory, a `tf32` is an `f32` word whose low 13 bits are zero;
//! [`encode`] and [`decode`] use that word. [`significant`] returns its 19 significant bits.
//!
//! A buffer is little-endian and uses [`Element::bytes`] bytes per element, so a 4-bit element takes a whole byte.

mod bulk;
mod float;
mod int;
pub mod nibbles;
pub mod shortest;
mod whole;

pub use bulk::{decode_all, encode_all, read, write};
pub use float::{Rounding, largest};
pub use int::{decode_int, encode_int, int_range};
pub use whole::encode_whole;

use tile_dialect::Element;

/// Returns the significant bits of an element, as used in hexadecimal literals and in bytecode constants. They differ
/// from `bits` only for `tf32`, which has 19.
pub fn significant(element: Element, bits: u64) -> u64 {
    if element == Element::TF32 { bits >> float::TF32_PADDING } else { bits }
}

/// The inverse of [`significant`].
pub fn from_significant(element: Element, bits: u64) -> u64 {
    if element == Element::TF32 { bits << float::TF32_PADDING } else { bits }
}

/// Returns the value of `bits` as an `f64`. Floats are exact. Integers are read as signed two's complement (`i1` as 0
/// or 1); only an `i64` beyond 2^53 is rounded.
pub fn decode(element: Element, bits: u64) -> f64 {
    if element.is_int() { decode_int(element, bits) as f64 } else { float::decode(element, bits) }
}

/// Returns the bits of the element nearest to `value`, ties to even, rounded once.
///
/// Values beyond the largest finite one become infinite in `f16`, `bf16`, `tf32`, `f32` and `f64`. In the narrower
/// formats they saturate to the largest finite value, as do infinities. NaN stays NaN, except in `f4E2M1FN`, which has
/// no NaN and gets its largest value. In the unsigned formats a negative value becomes NaN; `f8E8M0FNU` has no zero and
/// gets its smallest value instead.
///
/// For integers the fraction is dropped and the value wraps; NaN and infinities become 0.
pub fn encode(element: Element, value: f64) -> u64 {
    encode_rounded(element, value, Rounding::NearestEven)
}

/// Returns the bits of a decimal float literal. This differs from [`encode`] beyond the range of the narrow formats: as
/// in upstream's parser, a number that is too large becomes infinite in `f8E5M2` and NaN in `f8E4M3FN`.
pub fn encode_literal(element: Element, value: f64) -> u64 {
    float::encode_literal(element, value)
}

/// Like [`encode`], with another rounding mode. Integers ignore the mode.
pub fn encode_rounded(element: Element, value: f64, rounding: Rounding) -> u64 {
    if element.is_int() { int::encode_real(element, value) } else { float::encode(element, value, rounding) }
}

/// Rounds `value` to the element type.
pub fn round_to(element: Element, value: f64) -> f64 {
    decode(element, encode(element, value))
}

#[cfg(test)]
mod tests;
