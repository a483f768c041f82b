//! Numbers as bits: the conversion of every element type from and to `f64`, and elements in byte buffers.
//!
//! Bits are right-aligned in a `u64`. `tf32` has two forms that this module keeps apart: in a register and in memory it is
//! an `f32` word whose low 13 bits are zero, and that word is what [`encode`] and [`decode`] speak.
//!
//! A buffer is little-endian and holds [`Element::bytes`] bytes an element, so that 4-bit elements take a byte each.

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

/// The bits of an element as the language counts them, all of them significant: those of a literal in hexadecimal and of
/// a constant in bytecode. They differ from the bits elsewhere for `tf32`, which has 19.
pub fn significant(element: Element, bits: u64) -> u64 {
    if element == Element::TF32 { bits >> float::TF32_PADDING } else { bits }
}

/// What [`significant`] was made of.
pub fn from_significant(element: Element, bits: u64) -> u64 {
    if element == Element::TF32 { bits << float::TF32_PADDING } else { bits }
}

/// The value of `bits` as an `f64`. Floats are exact; integers are read as signed two's complement (`i1` as 0 or 1),
/// and only an `i64` beyond 2^53 is rounded.
pub fn decode(element: Element, bits: u64) -> f64 {
    if element.is_int() { decode_int(element, bits) as f64 } else { float::decode(element, bits) }
}

/// The bits of the element nearest to `value`, ties to even, rounded once.
///
/// What lies beyond the largest finite value becomes infinite in `f16`, `bf16`, `tf32`, `f32` and `f64`, and the largest
/// finite value in the narrower formats, where infinities saturate too. NaN stays NaN, except in `f4E2M1FN`, which has
/// none and takes its largest value. The unsigned formats read a negative value as NaN; `f8E8M0FNU` has no zero and
/// takes its smallest value instead.
///
/// Integers drop the fraction and wrap; NaN and infinities become 0.
pub fn encode(element: Element, value: f64) -> u64 {
    encode_rounded(element, value, Rounding::NearestEven)
}

/// The bits of a float literal in decimal. It differs from a conversion where the narrow formats end: too large a number
/// is infinite in `f8E5M2` and NaN in `f8E4M3FN`, as it is for upstream's parser.
pub fn encode_literal(element: Element, value: f64) -> u64 {
    float::encode_literal(element, value)
}

/// As [`encode`], in another direction. Integers ignore the direction.
pub fn encode_rounded(element: Element, value: f64, rounding: Rounding) -> u64 {
    if element.is_int() { int::encode_real(element, value) } else { float::encode(element, value, rounding) }
}

/// `value` rounded to the element and back.
pub fn round_to(element: Element, value: f64) -> f64 {
    decode(element, encode(element, value))
}

#[cfg(test)]
mod tests;
