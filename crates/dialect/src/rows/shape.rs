//! Ops that rearrange, split and combine tiles.

use super::*;
use crate::Element::*;

const SOURCE: &[OperandRow] = &[one("source", Class::Tile, "The source tile.")];
const RESULT: &[ResultRow] = &[result("result", Class::Tile)];
const FORM: &str = "$source attr-dict : type($source) -> type($result)";
const UNPACKED: Class = Class::TileOf(&[
    I1,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    TF32,
    F64,
    F8E4M3FN,
    F8E5M2,
    F8E8M0FNU,
    F4E2M1FN,
    FNv8E5M3FNU,
    I4,
]);
const BYTES: Class = Class::TileOf(&[I8]);

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::Iota,
        name: "iota",
        opcode: Some(0x3A),
        results: &[result("result", INT)],
        form: "attr-dict : type($result)",
        layout: "results",
        doc: "The integers 0, 1, 2, … as a tile of rank 1.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Reshape,
        name: "reshape",
        opcode: Some(0x5B),
        operands: SOURCE,
        results: RESULT,
        form: FORM,
        rules: &[Rule::SameElement(&["source", "result"])],
        layout: "results source",
        result_name: "reshape",
        doc: "Changes the shape of a tile. The elements keep their row-major order, and their number must not change.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Broadcast,
        name: "broadcast",
        opcode: Some(0x0B),
        operands: SOURCE,
        results: RESULT,
        form: FORM,
        rules: &[Rule::SameElement(&["source", "result"]), Rule::SameRank(&["source", "result"])],
        layout: "results source",
        result_name: "bcast",
        doc: "Repeats a tile along dimensions whose extent is 1.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Permute,
        name: "permute",
        opcode: Some(0x53),
        operands: SOURCE,
        attrs: &[attr(
            "permutation",
            AttrKind::IntList,
            Required,
            "Dimension i of the result is dimension permutation[i] of the source.",
        )],
        results: RESULT,
        form: "$source $permutation attr-dict : type($source) -> type($result)",
        rules: &[Rule::SameElement(&["source", "result"]), Rule::SameRank(&["source", "result"])],
        layout: "results permutation source",
        doc: "Reorders the dimensions of a tile; a transpose is the permutation [1, 0].",
        ..OP
    },
    OpRow {
        op: Mnemonic::Cat,
        name: "cat",
        opcode: Some(0x0C),
        operands: &[one("lhs", Class::Tile, "The first tile."), one("rhs", Class::Tile, "The second tile.")],
        attrs: &[attr("dim", AttrKind::Int(64), Required, "The dimension along which they are joined.")],
        results: RESULT,
        form: "$lhs, $rhs dim = $dim attr-dict : type($lhs), type($rhs) -> type($result)",
        rules: &[Rule::SameRank(&["lhs", "rhs", "result"]), Rule::SameElement(&["lhs", "rhs", "result"])],
        layout: "results dim lhs rhs",
        doc: "Joins two tiles along one dimension.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Extract,
        name: "extract",
        opcode: Some(0x26),
        operands: &[
            one("source", Class::Tile, "The tile to extract from."),
            many("indices", ONE_I32, "The index of the slice along each dimension, in slices rather than elements."),
        ],
        results: RESULT,
        form: "$source[$indices] attr-dict : type($source) -> type($result)",
        rules: &[Rule::SameRank(&["source", "result"]), Rule::SameElement(&["source", "result"])],
        layout: "results# all(source indices)",
        doc: "Extracts a slice of a tile. The extents of the slice divide those of the tile.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Insert,
        name: "insert",
        opcode: Some(0x76),
        since: Version::V13_4,
        operands: &[
            one("source", Class::Tile, "The slice to insert."),
            one("dest", Class::Tile, "The tile to insert it into."),
            many("indices", ONE_I32, "The index of the slice along each dimension, in slices rather than elements."),
        ],
        results: RESULT,
        form: "$source, $dest[$indices] attr-dict : type($source), type($dest)",
        rules: &[
            Rule::SameType(&["dest", "result"]),
            Rule::SameRank(&["source", "dest"]),
            Rule::SameElement(&["source", "dest"]),
        ],
        layout: "results# all(source dest indices)",
        doc: "Returns a tile with one slice replaced. The extents of the slice divide those of the tile.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Select,
        name: "select",
        opcode: Some(0x5F),
        operands: &[
            one("cond", TRUTH, "Selects between the two tiles."),
            one("val_if_true", Class::Tile, "The elements if the condition is true."),
            one("val_if_false", Class::Tile, "The elements if the condition is false."),
        ],
        results: RESULT,
        form: "$cond, $val_if_true, $val_if_false attr-dict : type($cond), type($result)",
        rules: &[
            Rule::SameType(&["val_if_true", "val_if_false", "result"]),
            Rule::SameShape(&["cond", "val_if_true", "val_if_false", "result"]),
        ],
        layout: "results cond val_if_true val_if_false",
        doc: "Selects each element from one of two tiles.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Offset,
        name: "offset",
        opcode: Some(0x51),
        operands: &[
            one("ptr", Class::Pointers, "The pointers."),
            one("offset", INT, "The number of elements to advance each pointer by, signed."),
        ],
        results: &[result("result", Class::Pointers)],
        form: "$ptr, $offset attr-dict : type($ptr), type($offset) -> type($result)",
        rules: &[Rule::SameType(&["ptr", "result"]), Rule::SameShape(&["ptr", "offset", "result"])],
        layout: "results ptr offset",
        doc: "Advances each pointer by a number of elements, which can be negative.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Pack,
        name: "pack",
        opcode: Some(0x6F),
        since: Version::V13_3,
        operands: &[one("source", UNPACKED, "A tile of rank 1.")],
        results: &[result("result", BYTES)],
        form: FORM,
        rules: &[Rule::SameRank(&["source", "result"])],
        layout: "results source",
        doc: "Reinterprets a tile of rank 1 as bytes.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Unpack,
        name: "unpack",
        opcode: Some(0x70),
        since: Version::V13_3,
        operands: &[one("source", BYTES, "A tile of bytes, of rank 1.")],
        results: &[result("result", UNPACKED)],
        form: FORM,
        rules: &[Rule::SameRank(&["source", "result"])],
        layout: "results source",
        doc: "Reinterprets bytes as a tile of rank 1.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Reduce,
        name: "reduce",
        opcode: Some(0x58),
        operands: &[many("operands", Class::Tile, "The tiles, all of the same shape.")],
        attrs: &[
            attr("dim", AttrKind::Int(32), Required, "The dimension to reduce, which the result does not have."),
            attr(
                "identities",
                AttrKind::Identities,
                Required,
                "The identity of the function for each tile: a value that combining leaves unchanged.",
            ),
        ],
        results: &[results("results", Class::Tile)],
        regions: &[RegionRow {
            name: "body",
            terminator: Some(Mnemonic::Yield),
            args: RegionArgs::Listed,
            arg_names: &["reduce_lhs", "reduce_rhs"],
            optional: false,
        }],
        form: "$operands attr-dict dim = $dim identities = $identities : types($operands) -> types($results) $body",
        layout: "results# dim identities all(operands) region",
        effect: Effect::Regions,
        result_name: "reduce",
        doc: "Reduces tiles along one dimension with the function in its region, which takes an accumulator and an element for each tile and yields the new accumulators. The order is unspecified, so the function must be associative and commutative.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Scan,
        name: "scan",
        opcode: Some(0x5E),
        operands: &[many("operands", Class::Tile, "The tiles, all of the same shape.")],
        attrs: &[
            attr("dim", AttrKind::Int(32), Required, "The dimension along which to scan."),
            attr("reverse", AttrKind::Bool, Required, "Whether to start from the last index."),
            attr(
                "identities",
                AttrKind::Identities,
                Required,
                "The identity of the function for each tile: a value that combining leaves unchanged.",
            ),
        ],
        results: &[results("results", Class::Tile)],
        regions: &[RegionRow {
            name: "body",
            terminator: Some(Mnemonic::Yield),
            args: RegionArgs::Listed,
            arg_names: &["arg#"],
            optional: false,
        }],
        form: "$operands attr-dict dim = $dim reverse = $reverse identities = $identities : types($operands) -> types($results) $body",
        rules: &[Rule::SameTypes("operands", "results")],
        layout: "results# dim reverse identities all(operands) region",
        effect: Effect::Regions,
        doc: "Computes an inclusive prefix scan along one dimension with the function in its region. Each result element combines all elements up to and including its own. The function takes an accumulator and an element for each tile and yields the new accumulators.",
        ..OP
    },
];
