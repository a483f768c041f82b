//! The types that a statement states.

use tile_dialect::form::Slot;
use tile_dialect::{Named, OpRow};
use tile_syntax::{Node, NodeKind, Tree};

/// The statement that starts at an offset of a tree.
pub(super) fn statement_at(tree: &Tree, start: u32) -> Option<Node> {
    let path = tree.path_to(tree.tokens.at(start));
    path.into_iter().find(|&node| tree.kind(node) == NodeKind::Op && tree.range(node).start == start)
}

/// Reports whether a statement states the type of the result called `name` in the table.
pub(super) fn states_result(tree: &Tree, text: &str, node: Node, row: &'static OpRow, name: &str) -> bool {
    let Some(op_name) = tree.child(node, NodeKind::OpName).map(|name| tree.text(name, text)) else { return false };
    if op_name.starts_with('"') {
        return true; // generic form states every type
    }
    let Some((result, _)) = row.result(name) else { return false };
    let spelling = tile_dialect::lookup(op_name).and_then(|named| named.spelling);
    let form = Named { row, spelling }.form();
    tree.children_of(node, NodeKind::Type).any(|ty| {
        let piece = form.types.get(tree.slot(ty) as usize);
        piece.is_some_and(|piece| piece.slots.contains(&Slot::Result(result as u8)))
    })
}
