//! Integer arithmetic and comparison.

use super::*;

const LHS_RHS: &[OperandRow] = &[one("lhs", INT, "The left operand."), one("rhs", INT, "The right operand.")];
const X_Y: &[OperandRow] = &[one("x", INT, "The left operand."), one("y", INT, "The right operand.")];
const SOURCE: &[OperandRow] = &[one("source", INT, "The operand.")];
const RESULT: &[ResultRow] = &[result("result", INT)];
const BINARY: &[Rule] = &[Rule::SameType(&["lhs", "rhs", "result"])];
const UNARY: &[Rule] = &[Rule::SameType(&["source", "result"])];

/// A binary op with overflow flags.
const fn wrapping(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Integer,
        operands: LHS_RHS,
        attrs: const { &[OVERFLOWS] },
        results: RESULT,
        form: "$lhs, $rhs $overflow attr-dict : type($result)",
        rules: BINARY,
        layout: "results overflow lhs rhs",
        doc,
        ..OP
    }
}

/// A binary op with signed or unsigned operands.
const fn signed(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Integer,
        operands: LHS_RHS,
        attrs: const { &[SIGNED] },
        results: RESULT,
        form: "$lhs, $rhs $signedness attr-dict : type($result)",
        rules: BINARY,
        layout: "results signedness lhs rhs",
        doc,
        ..OP
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::Absi,
        name: "absi",
        opcode: Some(0x01),
        group: Group::Integer,
        operands: SOURCE,
        results: RESULT,
        form: "$source attr-dict : type($result)",
        rules: UNARY,
        layout: "results source",
        doc: "The absolute value of each signed integer. The result is unsigned, so that of the most negative number is representable too.",
        ..OP
    },
    wrapping(
        Mnemonic::Addi,
        "addi",
        0x03,
        "The sum of two integer tiles, element by element. The result wraps around on overflow.",
    ),
    wrapping(
        Mnemonic::Subi,
        "subi",
        0x68,
        "The difference of two integer tiles, element by element. The result wraps around on overflow.",
    ),
    wrapping(
        Mnemonic::Muli,
        "muli",
        0x4E,
        "The product of two integer tiles, element by element. The result wraps around on overflow.",
    ),
    wrapping(
        Mnemonic::Shli,
        "shli",
        0x60,
        "Shifts each element of the left operand to the left. The amount is unsigned; if it is not less than the bit width, the result is unspecified.",
    ),
    signed(
        Mnemonic::Shri,
        "shri",
        0x61,
        "Shifts each element of the left operand to the right: signed fills with the sign bit, unsigned with zeros. The amount is unsigned; if it is not less than the bit width, the result is unspecified.",
    ),
    signed(Mnemonic::Maxi, "maxi", 0x46, "The larger of two integers, element by element."),
    signed(Mnemonic::Mini, "mini", 0x48, "The smaller of two integers, element by element."),
    signed(
        Mnemonic::Remi,
        "remi",
        0x5A,
        "The remainder of integer division, with the sign of the dividend. Division by zero is undefined behavior.",
    ),
    OpRow {
        op: Mnemonic::Negi,
        name: "negi",
        opcode: Some(0x50),
        group: Group::Integer,
        operands: SOURCE,
        attrs: &[AttrRow { since: Version::V13_2, ..OVERFLOWS }],
        results: RESULT,
        form: "$source $overflow attr-dict : type($result)",
        rules: UNARY,
        layout: "results overflow@13.2 source",
        doc: "The negation of each signed integer. The most negative number is its own negation.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Divi,
        name: "divi",
        opcode: Some(0x15),
        group: Group::Integer,
        operands: LHS_RHS,
        attrs: &[
            SIGNED,
            attr(
                "rounding",
                wrapped(&ROUNDING, "rounding", &[rounding::ZERO, rounding::NEGATIVE_INF, rounding::POSITIVE_INF]),
                Default(rounding::ZERO),
                "How the quotient is rounded: towards zero, down (signed only) or up.",
            ),
        ],
        results: RESULT,
        form: "$lhs, $rhs $signedness $rounding attr-dict : type($result)",
        rules: BINARY,
        layout: "results signedness rounding lhs rhs",
        effect: Effect::None,
        doc: "The quotient of two integer tiles, element by element. Division by zero and dividing the most negative number by -1 are undefined behavior.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Mulhii,
        name: "mulhii",
        opcode: Some(0x4D),
        group: Group::Integer,
        operands: X_Y,
        results: RESULT,
        form: "$x, $y attr-dict : type($result)",
        rules: &[Rule::SameType(&["x", "y", "result"])],
        layout: "results x y",
        doc: "The upper half of the double-width product of two unsigned integer tiles, element by element.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Cmpi,
        name: "cmpi",
        opcode: Some(0x0F),
        group: Group::Integer,
        operands: LHS_RHS,
        attrs: &[
            attr(
                "comparison_predicate",
                bare(&PREDICATE, &[]),
                Required,
                "The relation to test for each pair of elements.",
            ),
            SIGNED,
        ],
        results: &[result("result", TRUTH)],
        form: "$comparison_predicate $lhs, $rhs, $signedness attr-dict : type($lhs) -> type($result)",
        rules: &[Rule::SameType(&["lhs", "rhs"]), Rule::TruthOf("result", "lhs")],
        layout: "results comparison_predicate signedness lhs rhs",
        doc: "Compares two integer tiles, element by element. The result is a tile of i1 with the same shape.",
        ..OP
    },
];
