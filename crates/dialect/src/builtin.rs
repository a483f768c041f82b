//! The names of MLIR's builtin types. Apart from its element types, the language has none of them, but they can occur
//! in discardable attributes and in NVIDIA's tests.

use crate::Element;

/// A builtin type of MLIR, identified by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// A name only: `f32`, `i17`, `index`.
    Scalar(Scalar),
    /// A name followed by extents and an element type in angle brackets: `tensor<2x?xf32>`.
    Shaped,
    /// A name followed by types in angle brackets: `tuple<i32, f32>`.
    Enclosed,
}

/// A builtin type of MLIR without parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `i17`, `si8`, `ui8`
    Int {
        /// The number of bits.
        bits: u32,
        /// Whether the type states its signedness.
        sign: Sign,
    },
    /// `index`, which is signed and has 64 bits.
    Index,
    /// A float with this number of bits.
    Float(u32),
    /// `none`
    None,
}

/// The signedness that an integer type states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Signless: each op decides.
    Open,
    /// Signed, in two's complement.
    Signed,
    /// Unsigned.
    Unsigned,
}

/// The largest allowed width of an integer.
const MAX_BITS: u32 = (1 << 24) - 1;

/// Floats that the language does not have, and their widths in bits.
const OTHER_FLOATS: [(&str, u32); 9] = [
    ("f6E2M3FN", 6),
    ("f6E3M2FN", 6),
    ("f8E3M4", 8),
    ("f8E4M3", 8),
    ("f8E4M3FNUZ", 8),
    ("f8E4M3B11FNUZ", 8),
    ("f8E5M2FNUZ", 8),
    ("f80", 80),
    ("f128", 128),
];

impl Builtin {
    /// The builtin type called `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Builtin> {
        match name {
            "tensor" | "vector" | "memref" => Some(Builtin::Shaped),
            "tuple" | "complex" => Some(Builtin::Enclosed),
            _ => Scalar::from_name(name).map(Builtin::Scalar),
        }
    }
}

impl Scalar {
    /// The builtin type without parameters called `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Scalar> {
        match name {
            "index" => return Some(Scalar::Index),
            "none" => return Some(Scalar::None),
            _ => {}
        }
        for (prefix, sign) in [("si", Sign::Signed), ("ui", Sign::Unsigned), ("i", Sign::Open)] {
            let Some(digits) = name.strip_prefix(prefix) else { continue };
            let is_width = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            let bits = digits.parse().ok().filter(|&bits| is_width && bits <= MAX_BITS)?;
            return Some(Scalar::Int { bits, sign });
        }
        let other = || OTHER_FLOATS.iter().find(|(float, _)| *float == name).map(|&(_, bits)| bits);
        Element::from_name(name).map(Element::bits).or_else(other).map(Scalar::Float)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_builtin_types_are_accepted() {
        let int = |bits, sign| Some(Builtin::Scalar(Scalar::Int { bits, sign }));
        let cases = [
            ("f32", Some(Builtin::Scalar(Scalar::Float(32)))),
            ("i4", int(4, Sign::Open)),
            ("si17", int(17, Sign::Signed)),
            ("ui16777215", int(MAX_BITS, Sign::Unsigned)),
            ("i16777216", None),
            ("i99999999999", None),
            ("f8E4M3B11FNUZ", Some(Builtin::Scalar(Scalar::Float(8)))),
            ("f8E9M0", None),
            ("f128", Some(Builtin::Scalar(Scalar::Float(128)))),
            ("index", Some(Builtin::Scalar(Scalar::Index))),
            ("vector", Some(Builtin::Shaped)),
            ("tuple", Some(Builtin::Enclosed)),
            ("f3", None),
            ("i", None),
            ("iota", None),
            ("i+1", None),
            ("tile", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Builtin::from_name(name), expected, "{name}");
        }
    }
}
