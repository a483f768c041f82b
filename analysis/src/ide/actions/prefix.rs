//! Adds or removes the dialect prefix of op names.

use super::action::{Action, ActionKind, replace};
use super::context::ActionContext;
use crate::diagnostic::Edit;
use tile_dialect::{DIALECT_PREFIX, Mnemonic};
use tile_syntax::{Node, NodeKind, Tree};

/// Toggles the prefix of the op at the cursor.
pub(super) fn one(ctx: &ActionContext, found: &mut Vec<Action>) {
    let Some(cursor) = ctx.cursor.as_ref().filter(|_| ctx.is_on_op_name()) else { return };
    let Some(node) = cursor.node(NodeKind::Op) else { return };
    let Some(edit) = toggled(cursor.tree, cursor.text, cursor.base, node) else { return };
    let title = if edit.content.is_empty() { "Remove the dialect prefix" } else { "Add the dialect prefix" };
    found.push(Action::new(title, ActionKind::Rewrite, vec![edit]));
}

/// Adds the prefix to all ops of the file, or removes it, as for the entry at the cursor.
pub(super) fn all(ctx: &ActionContext, found: &mut Vec<Action>) {
    if !ctx.is_on_op_name() {
        return;
    }
    let Some(cursor) = ctx.cursor.as_ref() else { return };
    let Some(node) = cursor.node(NodeKind::Op).filter(|&node| cursor.tree.slot(node) == Mnemonic::Entry as u8) else {
        return;
    };
    let Some(own) = toggled(cursor.tree, cursor.text, cursor.base, node) else { return };
    let mut edits = Vec::new();
    for (base, text, tree) in ctx.trees() {
        let ops = tree.descendants(Node::ROOT).filter(|&node| tree.kind(node) == NodeKind::Op);
        let toggled = ops.filter_map(|node| toggled(tree, text, base, node));
        edits.extend(toggled.filter(|edit| edit.content == own.content));
    }
    if edits.len() > 1 {
        let is_removal = own.content.is_empty();
        let title =
            if is_removal { "Remove the dialect prefix from all ops" } else { "Add the dialect prefix to all ops" };
        Edit::sort(&mut edits);
        found.push(Action::new(title, ActionKind::Source, edits));
    }
}

/// The edit that adds or removes the prefix of an op's name. `None` for modules and generic form, which require it.
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
