//! Printing and assumptions.

use super::*;

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::Assume,
        name: "assume",
        opcode: Some(0x06),
        group: Group::Misc,
        operands: &[one("value", Class::Any, "The value that the assumption is about.")],
        attrs: &[attr("predicate", AttrKind::Predicate, Required, "The assumption.")],
        results: &[result("result", Class::Any)],
        form: "$predicate, $value attr-dict : type($value)",
        rules: &[Rule::SameType(&["value", "result"])],
        layout: "results predicate value",
        effect: Effect::None,
        result_name: "assume",
        doc: "Returns its operand and tells the compiler to assume something about it. If the assumption does not hold, the behavior is undefined.",
        ..OP
    },
    OpRow {
        op: Mnemonic::PrintTko,
        name: "print_tko",
        spellings: &[Spelling {
            name: "print",
            since: Version::V13_1,
            until: Some(Version::V13_2),
            form: Some("$str {, $args}? {token = $token}? attr-dict {: types($args)}? {-> type($result_token)}?"),
        }],
        opcode: Some(0x55),
        group: Group::Misc,
        operands: &[
            many("args", Class::Tile, "The tiles to print, one for each conversion of the format."),
            OperandRow { since: Version::V13_2, ..TOKEN_IN },
        ],
        attrs: &[attr(
            "str",
            AttrKind::Str,
            Required,
            "The format, with a conversion for each operand as in C: `%i` for integers of up to 32 bits, `%lli` for `i64`, `%f` for floats, `%p` for pointers.",
        )],
        results: &[ResultRow { since: Version::V13_2, ..TOKEN_OUT }],
        form: "$str {, $args}? {token = $token}? attr-dict {: types($args)}? -> type($result_token)",
        layout: "results# flags(token)@13.2 str args# token?",
        effect: Effect::Memory,
        doc: "Prints text from the device. For a tile, all elements are printed. The output of different tile blocks has no particular order; within a block, tokens order the output. Before 13.2, it was called print.",
        ..OP
    },
];
