//! Numbers in directives. Whole numbers stay exact.

use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::number::{decode, encode, encode_literal, encode_whole, int_range};
use tile_dialect::Element;

/// A number in a directive.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Number {
    /// Written without fraction and exponent; from -2^63 to 2^64 - 1.
    Whole(i128),
    /// Written with fraction or exponent, or `inf` or `nan`.
    Real(f64),
}

impl Number {
    /// The value as `f64`.
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Whole(value) => value as f64,
            Number::Real(value) => value,
        }
    }

    /// The bits of the number as an element. Fails for a fraction or a number out of range if the element type is an
    /// integer, and for a negative number if it is an unsigned float.
    pub fn encode(self, element: Element) -> Result<u64, String> {
        match self {
            _ if element.is_float() => self.encode_float(element),
            Number::Whole(value) => encode_in_range(element, value),
            Number::Real(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(64) => {
                encode_in_range(element, value as i128)
            }
            Number::Real(_) => Err(format!("{self} is not a whole number, and the element type is {element}")),
        }
    }

    fn encode_float(self, element: Element) -> Result<u64, String> {
        if self.to_f64() < 0.0 && is_unsigned(element) {
            return Err(format!("{element} has no sign and cannot hold {self}"));
        }
        Ok(match self {
            Number::Whole(value) => encode_whole(element, value),
            Number::Real(value) => encode_real(element, value),
        })
    }

    /// The negated number, if it is in range.
    pub(super) fn negated(self) -> Option<Number> {
        match self {
            Number::Whole(value) => (value <= 1 << 63).then_some(Number::Whole(-value)),
            Number::Real(value) => Some(Number::Real(-value)),
        }
    }
}

/// The bits of the float element nearest to `value`. An infinity stays one if the type has infinities; other numbers
/// are rounded as by [`encode`], which saturates in the narrow types.
pub(super) fn encode_real(element: Element, value: f64) -> u64 {
    let infinity = encode_literal(element, value);
    let stays = value.is_infinite() && decode(element, infinity) == value;
    if stays { infinity } else { encode(element, value) }
}

/// Whether a float element has no sign.
pub(super) fn is_unsigned(element: Element) -> bool {
    matches!(element, Element::F8E8M0FNU | Element::FNv8E5M3FNU)
}

fn encode_in_range(element: Element, value: i128) -> Result<u64, String> {
    let (low, high) = int_range(element);
    if (low..=high).contains(&value) {
        Ok(encode_whole(element, value))
    } else {
        Err(format!("{value} does not fit in {element} ({low} to {high})"))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(value) => write!(f, "{value}"),
            Number::Real(value) if value.is_nan() => f.write_str("nan"),
            Number::Real(value) if value.is_infinite() => f.write_str(if *value > 0.0 { "inf" } else { "-inf" }),
            // The `Debug` form keeps the point or the exponent, and all significant digits.
            Number::Real(value) => write!(f, "{value:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_fit_are_errors() {
        assert_eq!(Number::Whole(-1).encode(Element::I8), Ok(0xFF));
        assert_eq!(Number::Whole(255).encode(Element::I8), Ok(0xFF));
        assert_eq!(Number::Real(2.0).encode(Element::I8), Ok(2));
        assert_eq!(Number::Whole(u64::MAX.into()).encode(Element::I64), Ok(u64::MAX));
        assert_eq!(Number::Whole(256).encode(Element::I8), Err("256 does not fit in i8 (-128 to 255)".into()));
        let message = "0.5 is not a whole number, and the element type is i32";
        assert_eq!(Number::Real(0.5).encode(Element::I32), Err(message.into()));
        assert!(Number::Real(f64::NAN).encode(Element::I32).is_err());
        assert!(Number::Real(-1.0).encode(Element::F8E8M0FNU).is_err());
        assert_eq!(Number::Whole(1).encode(Element::F16), Ok(0x3C00));
    }

    #[test]
    fn only_infinities_are_infinite_in_narrow_floats() {
        let bits = |element, number: Number| number.encode(element).expect("a float");
        assert_eq!(bits(Element::F8E5M2, Number::Real(f64::INFINITY)), 0x7C);
        assert_eq!(bits(Element::F8E5M2, Number::Real(f64::NEG_INFINITY)), 0xFC);
        // The largest finite value.
        assert_eq!(bits(Element::F8E5M2, Number::Real(1e30)), 0x7B);
        assert_eq!(bits(Element::F8E5M2, Number::Whole(100_000)), 0x7B);
        assert_eq!(bits(Element::F8E4M3FN, Number::Real(f64::INFINITY)), 0x7E);
        assert_eq!(bits(Element::F16, Number::Real(1e30)), 0x7C00);
    }
}
