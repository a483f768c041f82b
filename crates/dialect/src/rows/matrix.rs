//! Matrix multiplication with accumulation.

use super::*;
use crate::Element::*;

const FACTOR: Class = Class::TileOf(&[F16, BF16, F32, F64, TF32, F8E4M3FN, F8E5M2]);
const SUM: Class = Class::TileOf(&[F16, F32, F64]);
const SCALED_FACTOR: Class = Class::TileOf(&[F8E4M3FN, F8E5M2, F4E2M1FN]);
const SCALE: Class = Class::TileOf(&[F8E4M3FN, F8E8M0FNU, FNv8E5M3FNU]);
const F32S: Class = Class::TileOf(&[F32]);
const I8S: Class = Class::TileOf(&[I8]);
const I32S: Class = Class::TileOf(&[I32]);

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::Mmaf,
        name: "mmaf",
        opcode: Some(0x49),
        group: Group::Float,
        operands: &[
            one("lhs", FACTOR, "The left matrix, [B x] M x K."),
            one("rhs", FACTOR, "The right matrix, [B x] K x N."),
            one("acc", SUM, "The matrix to add, [B x] M x N."),
        ],
        attrs: &[AttrRow {
            since: Version::V13_3,
            ..attr(
                "fast_acc",
                AttrKind::Flag("fast_acc"),
                Optional,
                "Products of 8-bit floats can be accumulated with less precision, which is faster on Hopper.",
            )
        }],
        results: &[result("result", SUM)],
        form: "$lhs, $rhs, $acc $fast_acc attr-dict : type($lhs), type($rhs), type($acc)",
        rules: &[
            Rule::SameType(&["acc", "result"]),
            Rule::SameElement(&["lhs", "rhs"]),
            Rule::SameRank(&["lhs", "rhs", "acc"]),
        ],
        layout: "results flags(fast_acc)@13.3 lhs rhs acc",
        doc: "The matrix product of two tiles plus an accumulator, computed in the accumulator's type. The tiles have rank 2, or rank 3 with a leading batch dimension.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MmafScaled,
        name: "mmaf_scaled",
        opcode: Some(0x72),
        since: Version::V13_3,
        group: Group::Float,
        operands: &[
            one("lhs", SCALED_FACTOR, "The left matrix, [B x] M x K."),
            one("rhs", SCALED_FACTOR, "The right matrix, [B x] K x N."),
            one("acc", F32S, "The matrix to add, [B x] M x N."),
            one(
                "lhs_scale",
                SCALE,
                "A scale for each block of V elements in a row of the left matrix, [B x] M x (K/V).",
            ),
            one(
                "rhs_scale",
                SCALE,
                "A scale for each block of V elements in a column of the right matrix, [B x] (K/V) x N.",
            ),
        ],
        results: &[result("result", F32S)],
        form: "$lhs, $rhs, $acc, $lhs_scale, $rhs_scale attr-dict : type($lhs), type($rhs), type($acc), type($lhs_scale), type($rhs_scale)",
        rules: &[
            Rule::SameType(&["acc", "result"]),
            Rule::SameElement(&["lhs", "rhs"]),
            Rule::SameElement(&["lhs_scale", "rhs_scale"]),
            Rule::SameRank(&["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]),
        ],
        layout: "results lhs rhs acc lhs_scale rhs_scale",
        doc: "The matrix product of two tiles of narrow floats, each block of V elements along K multiplied by its scale, plus an accumulator.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Mmai,
        name: "mmai",
        opcode: Some(0x4A),
        group: Group::Integer,
        operands: &[
            one("lhs", I8S, "The left matrix, [B x] M x K."),
            one("rhs", I8S, "The right matrix, [B x] K x N."),
            one("acc", I32S, "The matrix to add, [B x] M x N."),
        ],
        attrs: &[
            attr("signedness_lhs", bare(&SIGNEDNESS, &[]), Required, "Whether the left matrix is signed or unsigned."),
            attr("signedness_rhs", bare(&SIGNEDNESS, &[]), Required, "Whether the right matrix is signed or unsigned."),
        ],
        results: &[result("result", I32S)],
        form: "$lhs, $rhs, $acc $signedness_lhs $signedness_rhs attr-dict : type($lhs), type($rhs), type($acc)",
        rules: &[
            Rule::SameType(&["acc", "result"]),
            Rule::SameElement(&["lhs", "rhs"]),
            Rule::SameRank(&["lhs", "rhs", "acc"]),
        ],
        layout: "results signedness_lhs signedness_rhs lhs rhs acc",
        doc: "The matrix product of two tiles of 8-bit integers plus a 32-bit accumulator. The result wraps around on overflow.",
        ..OP
    },
];
