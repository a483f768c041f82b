//! Notes on element types.

use crate::Notes;

/// The rule for types that only some ops support.
const RESTRICTED: &str =
    "Arithmetic does not support it, except for matrix multiplication: convert to `f32` or `f16` first (`ftof`).";

pub(super) const NOTES: &[Notes] = &[
    Notes {
        about: &["i1"],
        syntax: "tile<i1>\ntile<8xi1>\n<i1: true>",
        rules: &[
            "Comparisons return it; `if`, `select`, `assert` and masks use it.",
            "`andi`, `ori` and `xori` combine truth values.",
            "Read as signed, true is -1; as unsigned, 1.",
        ],
        example: "
%a = iota : tile<8xi32>
%four = constant <i32: 4> : tile<8xi32>
%small = cmpi less_than %a, %four, signed : tile<8xi32> -> tile<8xi1>
%b = select %small, %a, %four : tile<8xi1>, tile<8xi32>
",
        see: &["cmpi", "cmpf", "select", "if"],
    },
    Notes {
        about: &["i4"],
        syntax: "tile<8xi4>",
        rules: &[
            "It is only valid in tiles, not in constants, pointers and tensor views.",
            "`exti` and `trunci` convert it; `pack` and `unpack` turn two of them into a byte and back.",
        ],
        example: "
%bytes = constant <i8: [16, 50]> : tile<2xi8>
%digits = unpack %bytes : tile<2xi8> -> tile<4xi4>
%numbers = exti %digits unsigned : tile<4xi4> -> tile<4xi32>
",
        see: &["unpack", "pack", "exti", "trunci"],
    },
    Notes {
        about: &["i8", "i16", "i32", "i64"],
        syntax: "tile<{}>\ntile<8x{}>\n<{}: -7>",
        rules: &[
            "Ops for which the signedness matters take `signed` or `unsigned`.",
            "Results wrap around, unless `overflow<…>` states that they fit.",
        ],
        example: "
%a = constant <{}: [1, 2, 3, 4]> : tile<4x{}>
%b = constant <{}: 2> : tile<4x{}>
%c = divi %a, %b signed : tile<4x{}>
",
        see: &["signedness", "overflow", "exti", "trunci", "itof", "literal"],
    },
    Notes {
        about: &["f16", "bf16", "f32", "f64"],
        syntax: "tile<{}>\ntile<8x{}>\n<{}: 1.0>",
        rules: &[
            "All floating-point arithmetic supports it; both operands must have the same type.",
            "Constants have a decimal point or are hexadecimal bit patterns.",
        ],
        example: "
%a = constant <{}: [1.0, 2.0, 3.0, 4.0]> : tile<4x{}>
%b = constant <{}: 0.5> : tile<4x{}>
%c = mulf %a, %b : tile<4x{}>
",
        see: &["ftof", "rounding", "literal"],
    },
    Notes {
        about: &["tf32"],
        syntax: "tile<8x8xtf32>",
        rules: &["It is an input of `mmaf` with an `f32` accumulator.", RESTRICTED],
        example: "
%x = constant <f32: 1.5> : tile<8x8xf32>
%a = ftof %x : tile<8x8xf32> -> tile<8x8xtf32>
%c = mmaf %a, %a, %x : tile<8x8xtf32>, tile<8x8xtf32>, tile<8x8xf32>
",
        see: &["ftof", "mmaf", "f32"],
    },
    Notes {
        about: &["f8E4M3FN", "f8E5M2"],
        syntax: "tile<16x16x{}>",
        rules: &[
            "It is an input of `mmaf` with an `f16` or `f32` accumulator, and of `mmaf_scaled`.",
            "Conversion to it saturates: values out of range become the largest finite one.",
            RESTRICTED,
        ],
        example: "
%x = constant <f32: 1.5> : tile<16x16xf32>
%a = ftof %x : tile<16x16xf32> -> tile<16x16x{}>
%c = mmaf %a, %a, %x : tile<16x16x{}>, tile<16x16x{}>, tile<16x16xf32>
",
        see: &["ftof", "mmaf", "mmaf_scaled", "f4E2M1FN"],
    },
    Notes {
        about: &["f8E8M0FNU"],
        syntax: "tile<16x2xf8E8M0FNU>",
        rules: &[
            "It is a scale type of `mmaf_scaled`.",
            "`ftof` to it needs `rounding<zero>` or `rounding<positive_inf>`; `itof` does not support it.",
            "It cannot represent zero or negative numbers.",
        ],
        example: "
%x = constant <f32: 4.0> : tile<8xf32>
%scale = ftof %x rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
",
        see: &["mmaf_scaled", "ftof", "fnv8E5M3FNU"],
    },
    Notes {
        about: &["f4E2M1FN"],
        syntax: "tile<16x32xf4E2M1FN>",
        rules: &[
            "A tile of this type has an even number of elements, because two elements share a byte.",
            "It is an input of `mmaf_scaled`; `select` does not support it.",
            "Conversion to it saturates: values out of range become the largest one.",
            RESTRICTED,
        ],
        example: "
%x = constant <f32: 1.5> : tile<8xf32>
%a = ftof %x : tile<8xf32> -> tile<8xf4E2M1FN>
",
        see: &["mmaf_scaled", "ftof", "pack", "unpack"],
    },
    Notes {
        about: &["fnv8E5M3FNU"],
        syntax: "tile<16x2xfnv8E5M3FNU>",
        rules: &["It is a scale type for `f4E2M1FN` in `mmaf_scaled`.", "It cannot represent negative numbers."],
        example: "
%x = constant <f32: 4.0> : tile<8xf32>
%scale = ftof %x : tile<8xf32> -> tile<8xfnv8E5M3FNU>
",
        see: &["mmaf_scaled", "ftof", "f8E8M0FNU"],
    },
];
