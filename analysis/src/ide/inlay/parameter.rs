//! Inlay hints with the names of operands that no keyword introduces: masks, padding, the operands of `select`.

use super::statement::{Inlay, InlayKind, Statement};
use tile_dialect::{Arity, OpRow};
use tile_syntax::{NodeKind, Token};

/// Operand names that add no information.
const OBVIOUS_NAMES: &[&str] = &["lhs", "rhs", "source", "value"];

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    if statement.is_generic() {
        return;
    }
    let (tree, text) = (statement.item.tree, statement.item.text);
    let row = statement.op.op.row();
    for node in tree.children_of(statement.node, NodeKind::Operand) {
        let index = tree.slot(node) as usize;
        if !is_obscure(row, index) {
            continue;
        }
        let first = tree.tokens_of(node).start;
        let is_bare = first > 0 && tree.tokens.kind(first - 1) == Token::Comma;
        let name = shortened(row.operands[index].name);
        let written = tree.text(node, text).trim_start_matches('%');
        if is_bare && !written.to_ascii_lowercase().contains(&name) {
            let doc = || row.operands[index].doc.to_string();
            found.push(statement.inlay(tree.range(node).start, format!("{name}:"), InlayKind::Parameter, doc));
        }
    }
}

/// Reports whether the purpose of an operand is not obvious: it is optional, or one of at least three.
fn is_obscure(row: &OpRow, index: usize) -> bool {
    let Some(operand) = row.operands.get(index) else { return false };
    let one = row.operands.iter().filter(|operand| operand.arity == Arity::One).count();
    match operand.arity {
        Arity::Optional => true,
        Arity::One => one >= 3 && !OBVIOUS_NAMES.contains(&operand.name),
        Arity::Variadic => false,
    }
}

/// Shortens a name: `paddingValue` becomes `padding`, `val_if_true` becomes `if true`.
fn shortened(name: &str) -> String {
    let name = name.trim_end_matches("Value").trim_start_matches("val_").to_ascii_lowercase();
    name.replace('_', " ")
}
