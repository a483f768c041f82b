//! Floating-point functions of one or two tiles.

use super::*;
use crate::Element;

const SOURCE: &[OperandRow] = &[one("source", BASE_FLOAT, "The operand.")];
/// The exponent types of `fpowi`.
const NARROW: Class = Class::TileOf(&[Element::I1, Element::I8, Element::I16, Element::I32]);
const RESULT: &[ResultRow] = &[result("result", BASE_FLOAT)];
const UNARY: &[Rule] = &[Rule::SameType(&["source", "result"])];

/// An op with one operand and no options.
const fn plain(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Float,
        operands: SOURCE,
        results: RESULT,
        form: "$source attr-dict : type($result)",
        rules: UNARY,
        layout: "results source",
        doc,
        ..OP
    }
}

/// An op with one operand and `flush_to_zero`.
const fn flushing(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        attrs: const { &[FLUSH] },
        form: "$source $flush_to_zero attr-dict : type($result)",
        layout: "results flags(flush_to_zero) source",
        ..plain(op, name, opcode, doc)
    }
}

const fn approximated(since: Version) -> AttrRow {
    AttrRow {
        since,
        ..attr(
            "rounding_mode",
            wrapped(&ROUNDING, "rounding", const { &[rounding::APPROX, rounding::FULL] }),
            Default(rounding::FULL),
            "full is within 2 ulp over the full range of inputs; approx is a faster hardware approximation for f32.",
        )
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    plain(Mnemonic::Absf, "absf", 0x00, "The absolute value of each float: its sign bit is cleared."),
    plain(Mnemonic::Negf, "negf", 0x4F, "The negation of each float: its sign bit is flipped."),
    plain(Mnemonic::Ceil, "ceil", 0x0D, "The smallest integer that is not less than each float."),
    plain(Mnemonic::Floor, "floor", 0x27, "The largest integer that is not greater than each float."),
    plain(Mnemonic::Cos, "cos", 0x12, "The cosine of each float, in radians."),
    plain(Mnemonic::Cosh, "cosh", 0x13, "The hyperbolic cosine of each float."),
    plain(Mnemonic::Sin, "sin", 0x62, "The sine of each float, in radians."),
    plain(Mnemonic::Sinh, "sinh", 0x63, "The hyperbolic sine of each float."),
    plain(Mnemonic::Tan, "tan", 0x69, "The tangent of each float, in radians."),
    plain(Mnemonic::Log, "log", 0x3F, "The natural logarithm of each float."),
    plain(Mnemonic::Log2, "log2", 0x40, "The base-2 logarithm of each float."),
    OpRow {
        attrs: &[approximated(Version::V13_3)],
        form: "$source $rounding_mode attr-dict : type($result)",
        layout: "results rounding_mode@13.3 source",
        ..plain(Mnemonic::Exp, "exp", 0x17, "The exponential of each float, with base e.")
    },
    OpRow {
        attrs: &[approximated(Version::V13_2)],
        form: "$source $rounding_mode attr-dict : type($result)",
        layout: "results rounding_mode@13.2 source",
        ..plain(Mnemonic::Tanh, "tanh", 0x6A, "The hyperbolic tangent of each float.")
    },
    flushing(Mnemonic::Exp2, "exp2", 0x18, "Two raised to the power of each float."),
    flushing(Mnemonic::Rsqrt, "rsqrt", 0x5D, "The reciprocal of the square root of each float."),
    OpRow {
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
                    ],
                ),
                Default(rounding::NEAREST_EVEN),
                "How the root is rounded; approx is faster, but only for f32.",
            ),
            FLUSH,
        ],
        form: "$source $rounding_mode $flush_to_zero attr-dict : type($result)",
        layout: "results flags(flush_to_zero) rounding_mode source",
        ..plain(Mnemonic::Sqrt, "sqrt", 0x64, "The square root of each float.")
    },
    OpRow {
        op: Mnemonic::Pow,
        name: "fpowf",
        spellings: &[Spelling { name: "pow", since: Version::V13_1, until: Some(Version::V13_4), form: None }],
        opcode: Some(0x54),
        group: Group::Float,
        operands: &[one("source", BASE_FLOAT, "The base."), one("exponent", BASE_FLOAT, "The exponent.")],
        results: RESULT,
        form: "$source, $exponent attr-dict : type($result)",
        rules: &[Rule::SameType(&["source", "exponent", "result"])],
        layout: "results source exponent",
        doc: "The first operand raised to the power of the second, element by element, with the special cases of C's pow. Before 13.4, it was called pow.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Fpowi,
        name: "fpowi",
        opcode: Some(0x79),
        since: Version::V13_4,
        group: Group::Float,
        operands: &[one("source", BASE_FLOAT, "The base."), one("exponent", NARROW, "The exponent, read as signed.")],
        results: RESULT,
        form: "$source, $exponent attr-dict : type($source), type($exponent)",
        rules: &[Rule::SameType(&["source", "result"]), Rule::SameShape(&["source", "exponent"])],
        layout: "results source exponent",
        doc: "The first operand raised to an integer power, element by element.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Atan2,
        name: "atan2",
        opcode: Some(0x6E),
        since: Version::V13_2,
        group: Group::Float,
        operands: &[one("x", BASE_FLOAT, "The y coordinate."), one("y", BASE_FLOAT, "The x coordinate.")],
        results: RESULT,
        form: "$x, $y attr-dict : type($result)",
        rules: &[Rule::SameType(&["x", "y", "result"])],
        layout: "results x y",
        doc: "The angle, in radians, of the point whose y coordinate is the first operand and whose x coordinate is the second, element by element.",
        ..OP
    },
];
