//! Writes names of ops with the dialect's prefix, or without it.

use super::action::{Action, ActionKind, replace};
use super::context::ActionContext;
use crate::diagnostic::Edit;
use tile_dialect::{DIALECT_PREFIX, Mnemonic};
use tile_syntax::{Node, NodeKind, Tree};

/// The op at the place.
pub(super) fn one(place: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = place.cursor.as_ref().filter(|_| place.is_on_op_name()) else { return };
    let Some(node) = cursor.node(NodeKind::Op) else { return };
    let Some(edit) = toggled(cursor.tree, cursor.text, cursor.base, node) else { return };
    let title = if edit.content.is_empty() { "Drop the prefix of this op" } else { "Write this op with its prefix" };
    found.push(Action::new(title, ActionKind::Rewrite, vec![edit]));
}

/// All ops of the file, the way the entry at the place would be written.
pub(super) fn all(place: &ActionContext, found: &mut Vec<Action>) {
    if !place.is_on_op_name() {
        return;
    }
    let Some(cursor) = place.cursor.as_ref() else { return };
    let Some(node) = cursor.node(NodeKind::Op).filter(|&node| cursor.tree.slot(node) == Mnemonic::Entry as u8) else {
        return;
    };
    let Some(own) = toggled(cursor.tree, cursor.text, cursor.base, node) else { return };
    let mut edits = Vec::new();
    for (base, text, tree) in place.trees() {
        let ops = tree.descendants(Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Op);
        let toggled = ops.filter_map(|node| toggled(tree, text, base, node));
        edits.extend(toggled.filter(|edit| edit.content == own.content));
    }
    if edits.len() > 1 {
        let title =
            if own.content.is_empty() { "Drop the prefix of all ops" } else { "Write all ops with their prefix" };
        Edit::sort(&mut edits);
        found.push(Action::new(title, ActionKind::Source, edits));
    }
}

/// The edit that adds the prefix to an op's name, or takes it away. A module always has it, generic form too.
fn toggled(tree: &Tree, text: &str, base: u32, node: Node) -> Option<Edit> {
    let name = tree.child(node, NodeKind::OpName)?;
    let word = tree.text(name, text);
    let named = tile_dialect::lookup(word)?;
    if word.starts_with('"') || matches!(named.row.op, Mnemonic::Module | Mnemonic::TestingFunc) {
        return None;
    }
    let start = tree.range(name).start + base;
    Some(if word.starts_with(DIALECT_PREFIX) {
        replace(start..start + DIALECT_PREFIX.len() as u32, "")
    } else {
        replace(start..start, DIALECT_PREFIX)
    })
}
