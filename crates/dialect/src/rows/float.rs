//! Floating-point arithmetic and comparison.

use super::*;

const LHS_RHS: &[OperandRow] =
    &[one("lhs", BASE_FLOAT, "The left operand."), one("rhs", BASE_FLOAT, "The right operand.")];
const RESULT: &[ResultRow] = &[result("result", BASE_FLOAT)];
const BINARY: &[Rule] = &[Rule::SameType(&["lhs", "rhs", "result"])];

/// The four rounding modes of IEEE 754.
const IEEE: &[u8] = &[rounding::NEAREST_EVEN, rounding::ZERO, rounding::NEGATIVE_INF, rounding::POSITIVE_INF];

const ROUNDED: AttrRow = attr(
    "rounding_mode",
    wrapped(&ROUNDING, "rounding", IEEE),
    Default(rounding::NEAREST_EVEN),
    "How inexact results are rounded.",
);

/// A binary op with rounding.
const fn arithmetic(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Float,
        operands: LHS_RHS,
        attrs: const { &[ROUNDED, FLUSH] },
        results: RESULT,
        form: "$lhs, $rhs $rounding_mode $flush_to_zero attr-dict : type($result)",
        rules: BINARY,
        layout: "results flags(flush_to_zero) rounding_mode lhs rhs",
        doc,
        ..OP
    }
}

/// The larger or the smaller of two operands.
const fn extremum(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Float,
        operands: LHS_RHS,
        attrs: const {
            &[
                attr(
                    "propagate_nan",
                    AttrKind::Flag("propagate_nan"),
                    Optional,
                    "The result is NaN if either operand is NaN. Without this flag, it is the operand that is a number.",
                ),
                FLUSH,
            ]
        },
        results: RESULT,
        form: "$lhs, $rhs {$flush_to_zero | $propagate_nan}* attr-dict : type($result)",
        rules: BINARY,
        layout: "results flags(propagate_nan flush_to_zero) lhs rhs",
        doc,
        ..OP
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    arithmetic(Mnemonic::Addf, "addf", 0x02, "The sum of two float tiles, element by element, correctly rounded."),
    arithmetic(
        Mnemonic::Subf,
        "subf",
        0x67,
        "The difference of two float tiles, element by element, correctly rounded.",
    ),
    arithmetic(Mnemonic::Mulf, "mulf", 0x4C, "The product of two float tiles, element by element, correctly rounded."),
    OpRow {
        op: Mnemonic::Divf,
        name: "divf",
        opcode: Some(0x14),
        group: Group::Float,
        operands: LHS_RHS,
        attrs: &[
            attr(
                "rounding_mode",
                wrapped(
                    &ROUNDING,
                    "rounding",
                    &[
                        rounding::NEAREST_EVEN,
                        rounding::ZERO,
                        rounding::NEGATIVE_INF,
                        rounding::POSITIVE_INF,
                        rounding::APPROX,
                        rounding::FULL,
                    ],
                ),
                Default(rounding::NEAREST_EVEN),
                "How the quotient is rounded; approx and full are faster, but only for f32.",
            ),
            FLUSH,
        ],
        results: RESULT,
        form: "$lhs, $rhs $rounding_mode $flush_to_zero attr-dict : type($result)",
        rules: BINARY,
        layout: "results flags(flush_to_zero) rounding_mode lhs rhs",
        doc: "The quotient of two float tiles, element by element.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Fma,
        name: "fma",
        opcode: Some(0x28),
        group: Group::Float,
        operands: &[
            one("lhs", BASE_FLOAT, "The first factor."),
            one("rhs", BASE_FLOAT, "The second factor."),
            one("acc", BASE_FLOAT, "The addend."),
        ],
        attrs: &[ROUNDED, FLUSH],
        results: RESULT,
        form: "$lhs, $rhs, $acc $rounding_mode $flush_to_zero attr-dict : type($result)",
        rules: &[Rule::SameType(&["lhs", "rhs", "acc", "result"])],
        layout: "results flags(flush_to_zero) rounding_mode lhs rhs acc",
        doc: "The product of two float tiles plus a third tile, element by element, rounded only once.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Remf,
        name: "remf",
        opcode: Some(0x59),
        group: Group::Float,
        operands: LHS_RHS,
        results: RESULT,
        form: "$lhs, $rhs attr-dict : type($result)",
        rules: BINARY,
        layout: "results lhs rhs",
        doc: "The remainder of truncated division, element by element, with the sign of the dividend.",
        ..OP
    },
    extremum(Mnemonic::Maxf, "maxf", 0x45, "The larger of two floats, element by element. +0 is larger than -0."),
    extremum(Mnemonic::Minf, "minf", 0x47, "The smaller of two floats, element by element. -0 is smaller than +0."),
    OpRow {
        op: Mnemonic::Cmpf,
        name: "cmpf",
        opcode: Some(0x0E),
        group: Group::Float,
        operands: LHS_RHS,
        attrs: &[
            attr(
                "comparison_predicate",
                bare(&PREDICATE, &[]),
                Required,
                "The relation to test for each pair of elements.",
            ),
            attr("comparison_ordering", bare(&ORDERING, &[]), Required, "The result if either element is NaN."),
        ],
        results: &[result("result", TRUTH)],
        form: "$comparison_predicate $comparison_ordering $lhs, $rhs attr-dict : type($lhs) -> type($result)",
        rules: &[Rule::SameType(&["lhs", "rhs"]), Rule::TruthOf("result", "lhs")],
        layout: "results comparison_predicate comparison_ordering lhs rhs",
        doc: "Compares two float tiles, element by element. The result is a tile of i1 with the same shape.",
        ..OP
    },
];
