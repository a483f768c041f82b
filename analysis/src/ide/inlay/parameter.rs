//! What operands are for, where nothing but a comma stands in front of them: masks, padding, the third of three.

use super::statement::{Inlay, InlayKind, Statement};
use tile_dialect::{Arity, OpRow};
use tile_syntax::{NodeKind, Token};

/// Names that say nothing a reader does not see.
const PLAIN: &[&str] = &["lhs", "rhs", "source", "value"];

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
        let name = plain(row.operands[index].name);
        let written = tree.text(node, text).trim_start_matches('%');
        if is_bare && !written.to_ascii_lowercase().contains(&name) {
            let doc = || row.operands[index].doc.to_string();
            found.push(statement.inlay(tree.range(node).start, format!("{name}:"), InlayKind::Parameter, doc));
        }
    }
}

/// Whether nobody sees what the operand is for: it may be left out, or it is one of three or more.
fn is_obscure(row: &OpRow, index: usize) -> bool {
    let Some(operand) = row.operands.get(index) else { return false };
    let one = row.operands.iter().filter(|operand| operand.arity == Arity::One).count();
    match operand.arity {
        Arity::Optional => true,
        Arity::One => one >= 3 && !PLAIN.contains(&operand.name),
        Arity::Variadic => false,
    }
}

/// `paddingValue` as `padding`, `val_if_true` as `if true`.
fn plain(name: &str) -> String {
    let name = name.trim_end_matches("Value").trim_start_matches("val_").to_ascii_lowercase();
    name.replace('_', " ")
}
