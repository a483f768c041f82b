//! Bitwise ops on integers.

use super::*;

pub(crate) const ROWS: &[OpRow] = &[
    bitwise(Mnemonic::Andi, "andi", 0x04, "The bitwise and of two integer tiles, element by element."),
    bitwise(Mnemonic::Ori, "ori", 0x52, "The bitwise or of two integer tiles, element by element."),
    bitwise(Mnemonic::Xori, "xori", 0x6C, "The bitwise exclusive or of two integer tiles, element by element."),
];

const fn bitwise(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        group: Group::Bitwise,
        operands: const { &[one("lhs", INT, "The left operand."), one("rhs", INT, "The right operand.")] },
        results: const { &[result("result", INT)] },
        form: "$lhs, $rhs attr-dict : type($result)",
        rules: const { &[Rule::SameType(&["lhs", "rhs", "result"])] },
        layout: "results lhs rhs",
        doc,
        ..OP
    }
}
