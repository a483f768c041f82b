//! Conversions between element types. None changes the shape.

use super::*;

const SHAPE: &[Rule] = &[Rule::SameShape(&["source", "result"])];
const FROM_TO: &[Rule] = &[Rule::SameShape(&["from", "to"])];
const FORM: &str = "$source attr-dict : type($source) -> type($result)";

const fn cast(
    op: Mnemonic,
    name: &'static str,
    opcode: u16,
    operands: &'static [OperandRow],
    results: &'static [ResultRow],
    doc: &'static str,
) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Conversion,
        operands,
        results,
        form: FORM,
        rules: SHAPE,
        layout: "results source",
        doc,
        ..OP
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    cast(
        Mnemonic::Bitcast,
        "bitcast",
        0x09,
        &[one("source", NUMBER, "The tile to reinterpret.")],
        &[result("result", NUMBER)],
        "Reinterprets the bits as another element type of the same width. Pointers have separate conversions.",
    ),
    cast(
        Mnemonic::IntToPtr,
        "int_to_ptr",
        0x33,
        &[one("source", I64S, "The addresses.")],
        &[result("result", Class::Pointers)],
        "Converts 64-bit addresses to pointers.",
    ),
    cast(
        Mnemonic::PtrToInt,
        "ptr_to_int",
        0x56,
        &[one("source", Class::Pointers, "The pointers.")],
        &[result("result", I64S)],
        "Converts pointers to 64-bit addresses.",
    ),
    cast(
        Mnemonic::PtrToPtr,
        "ptr_to_ptr",
        0x57,
        &[one("source", Class::Pointers, "The pointers.")],
        &[result("result", Class::Pointers)],
        "Converts pointers to pointers to another element type, with the same addresses.",
    ),
    OpRow {
        op: Mnemonic::Exti,
        name: "exti",
        opcode: Some(0x25),
        group: Group::Conversion,
        operands: &[one("from", STORED_INT, "The integers to widen.")],
        attrs: &[SIGNED],
        results: &[result("to", STORED_INT)],
        form: "$from $signedness attr-dict : type($from) -> type($to)",
        rules: FROM_TO,
        layout: "results signedness from",
        doc: "Widens integers: signed copies the sign bit, unsigned fills with zeros.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Trunci,
        name: "trunci",
        opcode: Some(0x6B),
        group: Group::Conversion,
        operands: &[one("from", STORED_INT, "The integers to narrow.")],
        attrs: &[OVERFLOWS],
        results: &[result("to", STORED_INT)],
        form: "$from $overflow attr-dict : type($from) -> type($to)",
        rules: FROM_TO,
        layout: "results overflow from",
        doc: "Narrows integers: the upper bits are dropped.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Ftof,
        name: "ftof",
        opcode: Some(0x2A),
        group: Group::Conversion,
        operands: &[one("from", FLOAT, "The floats to convert.")],
        attrs: &[attr(
            "rounding_mode",
            wrapped(
                &ROUNDING,
                "rounding",
                &[
                    rounding::NEAREST_EVEN,
                    rounding::ZERO,
                    rounding::NEGATIVE_INF,
                    rounding::POSITIVE_INF,
                    rounding::NEAREST_AWAY,
                ],
            ),
            Default(rounding::NEAREST_EVEN),
            "How values that the new type cannot represent are rounded.",
        )],
        results: &[result("to", FLOAT)],
        form: "$from $rounding_mode attr-dict : type($from) -> type($to)",
        rules: FROM_TO,
        layout: "results rounding_mode from",
        doc: "Converts floats to another float type.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Ftoi,
        name: "ftoi",
        opcode: Some(0x2B),
        group: Group::Conversion,
        operands: &[one("from", FLOAT, "The floats to convert.")],
        attrs: &[
            SIGNED,
            attr(
                "rounding_mode",
                wrapped(&ROUNDING, "rounding", &[rounding::NEAREST_INT_TO_ZERO]),
                Default(rounding::NEAREST_INT_TO_ZERO),
                "How fractions are rounded: always towards zero.",
            ),
            AttrRow {
                since: Version::V13_4,
                ..attr(
                    "saturating",
                    AttrKind::Flag("saturating"),
                    Optional,
                    "Values out of range become the nearest integer in range, and NaN becomes 0.",
                )
            },
        ],
        results: &[result("to", INT)],
        form: "$from $signedness $rounding_mode $saturating attr-dict : type($from) -> type($to)",
        rules: FROM_TO,
        layout: "results flags(saturating)@13.4 signedness rounding_mode from",
        doc: "Converts floats to integers, rounding towards zero. A value out of range is undefined behavior unless the conversion is saturating.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Itof,
        name: "itof",
        opcode: Some(0x3B),
        group: Group::Conversion,
        operands: &[one("from", INT, "The integers to convert.")],
        attrs: &[
            SIGNED,
            attr(
                "rounding_mode",
                wrapped(&ROUNDING, "rounding", &[rounding::NEAREST_EVEN]),
                Default(rounding::NEAREST_EVEN),
                "How integers that the float type cannot represent are rounded.",
            ),
        ],
        results: &[result("to", FLOAT)],
        form: "$from $signedness $rounding_mode attr-dict : type($from) -> type($to)",
        rules: FROM_TO,
        layout: "results signedness rounding_mode from",
        doc: "Converts integers to floats.",
        ..OP
    },
];
