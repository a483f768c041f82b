//! Element types of tiles, pointers and tensor views.

use crate::Version;
use crate::gpu::{BLACKWELL, FP8, SM107, Support};

/// An element type of the language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)] // each name is the spelling in the text
pub enum Element {
    I1,
    I4,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    TF32,
    F32,
    F64,
    F8E4M3FN,
    F8E5M2,
    F8E8M0FNU,
    F4E2M1FN,
    FNv8E5M3FNU,
}

/// A row of the table of element types.
#[derive(Debug)]
pub struct ElementRow {
    /// The element itself.
    pub element: Element,
    /// Its spelling in the text.
    pub name: &'static str,
    /// The number of significant bits.
    pub bits: u8,
    /// Bytes that one element takes in device memory; 1 for 4-bit elements, although two of them share a byte.
    pub bytes: u8,
    /// Its tag in bytecode.
    pub tag: u8,
    /// The first version of the language that has it.
    pub since: Version,
    /// The GPUs that support it.
    pub gpus: Support,
    /// Its description.
    pub doc: &'static str,
}

const fn row(
    element: Element,
    name: &'static str,
    bits: u8,
    bytes: u8,
    tag: u8,
    since: Version,
    doc: &'static str,
) -> ElementRow {
    ElementRow { element, name, bits, bytes, tag, since, gpus: Support::EVERYWHERE, doc }
}

use Element::*;
use Version as V;

/// Every element type, in the order of [`Element`].
pub static ELEMENTS: [ElementRow; 16] = [
    row(
        I1,
        "i1",
        1,
        1,
        0,
        V::V13_1,
        "A truth value. In memory it takes one byte: 0 is false, any other value is true.",
    ),
    row(
        I4,
        "i4",
        4,
        1,
        22,
        V::V13_3,
        "A 4-bit integer for storage only: it can be extended, truncated, packed and unpacked, but arithmetic does not support it.",
    ),
    row(I8, "i8", 8, 1, 1, V::V13_1, "An 8-bit integer. Integers are signless: each op states how it interprets them."),
    row(
        I16,
        "i16",
        16,
        2,
        2,
        V::V13_1,
        "A 16-bit integer. Integers are signless: each op states how it interprets them.",
    ),
    row(
        I32,
        "i32",
        32,
        4,
        3,
        V::V13_1,
        "A 32-bit integer. Integers are signless: each op states how it interprets them.",
    ),
    row(
        I64,
        "i64",
        64,
        8,
        4,
        V::V13_1,
        "A 64-bit integer. Integers are signless: each op states how it interprets them.",
    ),
    row(F16, "f16", 16, 2, 5, V::V13_1, "IEEE half precision: 5 exponent and 10 mantissa bits."),
    row(BF16, "bf16", 16, 2, 6, V::V13_1, "bfloat16: the range of f32 with 7 mantissa bits."),
    row(
        TF32,
        "tf32",
        19,
        4,
        8,
        V::V13_1,
        "TensorFloat-32: the range of f32 with 10 mantissa bits, for matrix multiplication. An element takes 4 bytes in memory.",
    ),
    row(F32, "f32", 32, 4, 7, V::V13_1, "IEEE single precision."),
    row(F64, "f64", 64, 8, 9, V::V13_1, "IEEE double precision."),
    ElementRow {
        gpus: FP8,
        ..row(
            F8E4M3FN,
            "f8E4M3FN",
            8,
            1,
            10,
            V::V13_1,
            "An 8-bit float with 4 exponent and 3 mantissa bits. It has NaN but no infinity; its largest value is 448.",
        )
    },
    ElementRow {
        gpus: FP8,
        ..row(
            F8E5M2,
            "f8E5M2",
            8,
            1,
            11,
            V::V13_1,
            "An 8-bit float with 5 exponent and 2 mantissa bits, infinities and NaN; its largest finite value is 57344.",
        )
    },
    ElementRow {
        gpus: BLACKWELL,
        ..row(
            F8E8M0FNU,
            "f8E8M0FNU",
            8,
            1,
            18,
            V::V13_2,
            "An unsigned power of two, used as a scale in block-scaled matrix multiplication.",
        )
    },
    ElementRow {
        gpus: BLACKWELL,
        ..row(
            F4E2M1FN,
            "f4E2M1FN",
            4,
            1,
            19,
            V::V13_3,
            "A 4-bit float with 2 exponent bits and 1 mantissa bit, without infinity or NaN; its largest value is 6. Two elements share a byte in memory.",
        )
    },
    ElementRow {
        gpus: SM107,
        ..row(
            FNv8E5M3FNU,
            "fnv8E5M3FNU",
            8,
            1,
            130,
            V::V13_4,
            "An unsigned 8-bit scale with 5 exponent and 3 mantissa bits; all ones is NaN.",
        )
    },
];

impl Element {
    /// The element's row of the table.
    pub fn row(self) -> &'static ElementRow {
        &ELEMENTS[self as usize]
    }

    /// Its spelling in the text.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The number of significant bits, from 1 to 64.
    pub fn bits(self) -> u32 {
        self.row().bits.into()
    }

    /// Bytes that one element takes in the buffers of launches and in `.npy` files. There, 4-bit elements take a whole
    /// byte each.
    pub fn bytes(self) -> usize {
        self.row().bytes.into()
    }

    /// The number of nibbles that one element takes in device memory, where two 4-bit elements share a byte.
    pub fn nibbles(self) -> u64 {
        if self.bits() == 4 { 1 } else { 2 * self.bytes() as u64 }
    }

    /// The element called `name`.
    pub fn from_name(name: &str) -> Option<Element> {
        ELEMENTS.iter().find(|row| row.name == name).map(|row| row.element)
    }

    /// Whether it is an integer, including `i1` and `i4`.
    pub fn is_int(self) -> bool {
        matches!(self, I1 | I4 | I8 | I16 | I32 | I64)
    }

    /// Whether it is a floating-point type of any kind.
    pub fn is_float(self) -> bool {
        !self.is_int()
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (index, row) in ELEMENTS.iter().enumerate() {
            assert_eq!(row.element as usize, index, "{}", row.name);
            assert_eq!(Element::from_name(row.name), Some(row.element));
        }
    }
}
