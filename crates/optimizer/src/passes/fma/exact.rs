//! Products that need no rounding.
//!
//! A number of `f16` has 11 significant bits, and the product of two of them 22, which `f32` stores. What matters is
//! what the operands were converted from, without rounding.

use crate::entry::Entry;
use tile_analysis::ir::{Op, Value};
use tile_analysis::number::decode;
use tile_dialect::{Element, Mnemonic};

/// A bound on the finite numbers that a value can contain: integers of at most `bits` bits times a power of two, from
/// 2^`low` to less than 2^`high` in magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    bits: i32,
    /// The exponent of the last bit of the smallest number.
    low: i32,
    high: i32,
}

/// Whether a product of floats is never rounded.
pub(super) fn is_exact(entry: &Entry<'_>, product: &Op) -> bool {
    let body = entry.body();
    let element = |value: Value| body.ty(value).as_tile().and_then(|tile| tile.number());
    let Some(result) = element(Value(product.results.start)).and_then(Format::of) else { return false };
    let operands: Option<Vec<Format>> =
        body.operands(product).iter().map(|value| Format::of_value(entry, *value)).collect();
    let Some(&[a, b]) = operands.as_deref() else { return false };
    a.times(b).fits(result)
}

impl Format {
    /// The numbers of an element type.
    fn of(element: Element) -> Option<Format> {
        let (bits, low, high) = match element {
            Element::F64 => (53, -1074, 1024),
            Element::F32 => (24, -149, 128),
            Element::F16 => (11, -24, 16),
            Element::BF16 => (8, -133, 128),
            Element::F8E5M2 => (3, -16, 16),
            Element::F8E4M3FN => (4, -9, 9),
            element if element.is_int() => (element.bits() as i32, 0, element.bits() as i32),
            _ => return None,
        };
        Some(Format { bits, low, high })
    }

    /// The numbers that a value can contain, from the op that defines it.
    fn of_value(entry: &Entry<'_>, value: Value) -> Option<Format> {
        let body = entry.body();
        let own = Format::of(body.ty(value).as_tile()?.number()?)?;
        if let Some(dense) = entry.constant(value) {
            let all = dense.bits.iter().map(|&bits| Format::of_number(decode(dense.element, bits)));
            return all.reduce(|a, b| Some(a?.joined(b?))).flatten();
        }
        let Some(op) = body.defining_op(value).map(|id| body.op(id)) else { return Some(own) };
        let &[source] = body.operands(op) else { return Some(own) };
        match op.op {
            // A conversion to a type that has all numbers does not round; neither do ops that only move elements.
            Mnemonic::Ftof | Mnemonic::Itof | Mnemonic::Reshape | Mnemonic::Broadcast | Mnemonic::Permute => {
                let inner = if op.op == Mnemonic::Itof {
                    Format::of(body.ty(source).as_tile()?.number()?)?
                } else {
                    Format::of_value(entry, source)?
                };
                Some(if inner.fits(own) { inner } else { own })
            }
            _ => Some(own),
        }
    }

    /// A single number; `None` for NaN and infinity.
    fn of_number(value: f64) -> Option<Format> {
        if !value.is_finite() {
            return None;
        }
        if value == 0.0 {
            return Some(Format { bits: 0, low: 0, high: 0 });
        }
        let bits = value.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (significand, low) = match exponent {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        let zeros = significand.trailing_zeros() as i32;
        let length = 64 - significand.leading_zeros() as i32 - zeros;
        Some(Format { bits: length, low: low + zeros, high: low + zeros + length })
    }

    /// The products of these numbers with others.
    fn times(self, other: Format) -> Format {
        Format { bits: self.bits + other.bits, low: self.low + other.low, high: self.high + other.high }
    }

    fn joined(self, other: Format) -> Format {
        if self.bits == 0 {
            return other;
        }
        if other.bits == 0 {
            return self;
        }
        Format { bits: self.bits.max(other.bits), low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether another format has all of these numbers.
    fn fits(self, other: Format) -> bool {
        self.bits <= other.bits && self.low >= other.low && self.high <= other.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_as_many_bits_as_it_needs() {
        let of = |value| Format::of_number(value);
        let format = |bits, low, high| Some(Format { bits, low, high });
        assert_eq!(of(1.0), format(1, 0, 1));
        assert_eq!(of(-6.0), format(2, 1, 3));
        assert_eq!(of(0.1f32.into()), format(24, -27, -3));
        assert_eq!(of(f64::from_bits(1)), format(1, -1074, -1073));
        assert_eq!(of(f64::NAN), None);
    }

    #[test]
    fn products_of_narrow_numbers_are_exact_in_wide_ones() {
        let is_exact = |a, b, result| {
            let [a, b, result] = [a, b, result].map(|element| Format::of(element).expect("a number type"));
            a.times(b).fits(result)
        };
        use Element::*;
        assert!(is_exact(F16, F16, F32) && is_exact(F32, F32, F64) && is_exact(I8, I16, F32));
        // The product of two large or two small numbers of `bf16` exceeds the range of `f32`.
        assert!(!is_exact(BF16, BF16, F32) && !is_exact(F8E4M3FN, F8E4M3FN, F16) && !is_exact(I16, I16, F32));
    }
}
