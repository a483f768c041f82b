//! Types of other languages.

use tile_dialect::Element;

/// The spellings of element types in other languages, and the element type in Tile IR.
const ELEMENTS: [(&[&str], Element); 14] = [
    (&["bool", "boolean", "int1", "uint1", "u1"], Element::I1),
    (&["int4", "uint4", "u4"], Element::I4),
    (&["byte", "char", "int8", "int8_t", "si8", "u8", "ui8", "uint8", "uint8_t"], Element::I8),
    (&["int16", "int16_t", "short", "si16", "u16", "ui16", "uint16", "uint16_t"], Element::I16),
    (&["int", "int32", "int32_t", "si32", "u32", "ui32", "uint", "uint32", "uint32_t", "unsigned"], Element::I32),
    (&["index", "int64", "int64_t", "long", "si64", "size_t", "u64", "ui64", "uint64", "uint64_t"], Element::I64),
    (&["__half", "float16", "fp16", "half"], Element::F16),
    (&["__nv_bfloat16", "bfloat", "bfloat16", "nv_bfloat16"], Element::BF16),
    (&["float", "float32", "fp32", "single"], Element::F32),
    (&["double", "float64", "fp64"], Element::F64),
    (
        &[
            "e4m3",
            "e4m3fn",
            "f8e4m3",
            "f8e4m3fn",
            "float8_e4m3",
            "float8_e4m3fn",
            "float8e4nv",
            "fp8",
            "fp8_e4m3",
            "fp8e4nv",
        ],
        Element::F8E4M3FN,
    ),
    (&["e5m2", "f8e5m2", "float8_e5m2", "float8e5", "fp8_e5m2", "fp8e5"], Element::F8E5M2),
    (&["e8m0", "f8e8m0", "f8e8m0fnu", "float8_e8m0fnu", "ue8m0"], Element::F8E8M0FNU),
    (&["e2m1", "f4", "f4e2m1", "f4e2m1fn", "float4_e2m1fn", "fp4"], Element::F4E2M1FN),
];

/// Types of other languages that are not element types, and their counterparts.
const OTHERS: [(&[&str], &str); 4] = [
    (&["array", "memref", "ndarray"], "memory is accessed through a pointer, `tile<ptr<f32>>`, or a view made from it"),
    (
        &["float2", "float4", "int2", "int4x", "shaped", "tensor", "vector"],
        "values are tiles: write `tile<8x16xf32>`, with extents that are powers of two",
    ),
    (&["pointer"], "a pointer is a tile of rank 0: write `tile<ptr<f32>>`"),
    (&["void"], "a pointer has an element type: write `ptr<i8>` for bytes"),
];

/// The element type that other languages call `name`.
pub fn element(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    ELEMENTS.iter().find(|(names, _)| names.contains(&&*lower)).map(|(_, element)| element.name())
}

/// A hint for a type of another language that is not an element type.
pub fn ty(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    OTHERS.iter().find(|(names, _)| names.contains(&&*lower)).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_has_two_meanings() {
        let elements = ELEMENTS.iter().flat_map(|(names, _)| names.iter());
        let mut names: Vec<&str> = elements.chain(OTHERS.iter().flat_map(|(names, _)| names.iter())).copied().collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
