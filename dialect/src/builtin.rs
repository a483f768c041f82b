//! The names of types built into MLIR. Of these, the language only has its element types; the others can occur in
//! attributes of unknown meaning, and in NVIDIA's tests.

use crate::Element;

/// A type of MLIR's own, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// The name is all: `f32`, `i17`, `index`.
    Scalar(Scalar),
    /// Extents and an element type follow in angle brackets: `tensor<2x?xf32>`.
    Shaped,
    /// Types follow in angle brackets: `tuple<i32, f32>`.
    Enclosed,
}

/// A type of MLIR's own that has no parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `i17`, `si8`, `ui8`
    Int {
        /// How many bits it has.
        bits: u32,
        /// Whether it says how it is read.
        sign: Sign,
    },
    /// `index`, which is read as signed and has 64 bits.
    Index,
    /// A float of so many bits.
    Float(u32),
    /// `none`
    None,
}

/// How the bits of an integer are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// As the op wants it.
    Open,
    /// In two's complement.
    Signed,
    /// As they are.
    Unsigned,
}

/// The most bits that an integer may have.
const MAX_BITS: u32 = (1 << 24) - 1;

/// The floats that the language does not have, and their bits.
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
    /// The type of this name, if MLIR has one.
    pub fn from_name(name: &str) -> Option<Builtin> {
        match name {
            "tensor" | "vector" | "memref" => Some(Builtin::Shaped),
            "tuple" | "complex" => Some(Builtin::Enclosed),
            _ => Scalar::from_name(name).map(Builtin::Scalar),
        }
    }
}

impl Scalar {
    /// The type of this name, if MLIR has one without parts.
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
    fn names_are_told_from_words() {
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
