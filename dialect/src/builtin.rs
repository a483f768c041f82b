//! The names of types that MLIR brings along. The language has none of them but its element types; text may hold them in
//! attributes that are nobody's own, and in NVIDIA's tests.

use crate::Element;

/// How a type of MLIR's own goes on behind its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Not at all: `f32`, `i17`, `index`.
    Scalar,
    /// With extents and an element type in angle brackets: `tensor<2x?xf32>`.
    Shaped,
    /// With something else in angle brackets: `tuple<…>`.
    Enclosed,
}

impl Builtin {
    /// The type of this name, if MLIR has one.
    pub fn from_name(name: &str) -> Option<Builtin> {
        let is_width = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let is_sized = |prefix: &&str| name.strip_prefix(prefix).is_some_and(is_width);
        match name {
            "tensor" | "vector" => Some(Builtin::Shaped),
            "memref" | "tuple" | "complex" => Some(Builtin::Enclosed),
            "index" | "none" | "f80" | "f128" => Some(Builtin::Scalar),
            _ if Element::from_name(name).is_some() => Some(Builtin::Scalar),
            _ if ["f4E", "f6E", "f8E"].iter().any(|prefix| name.starts_with(prefix)) => Some(Builtin::Scalar),
            _ => ["i", "si", "ui"].iter().any(is_sized).then_some(Builtin::Scalar),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Builtin::{self, *};

    #[test]
    fn names_are_told_from_words() {
        let cases = [
            ("f32", Some(Scalar)),
            ("si17", Some(Scalar)),
            ("f8E4M3B11FNUZ", Some(Scalar)),
            ("f128", Some(Scalar)),
            ("vector", Some(Shaped)),
            ("memref", Some(Enclosed)),
            ("f3", None),
            ("i", None),
            ("iota", None),
            ("tile", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Builtin::from_name(name), expected, "{name}");
        }
    }
}
