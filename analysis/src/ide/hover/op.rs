//! What to show about an op: what it costs here, then its documentation.

use super::super::cursor::Cursor;
use super::super::{cost, op_doc};
use super::{Hover, facts};
use crate::ir::OpId;
use tile_syntax::NodeKind;

/// The documentation of an op, on its name.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let name = cursor.node(NodeKind::OpName)?;
    let named = tile_dialect::lookup(cursor.tree.text(name, cursor.text).trim_matches('"'))?;
    let mut text = op_doc::markdown(named.row);
    if let Some(cost) = cost_here(cursor, cursor.tree.range(name).start) {
        // Right behind how it is written, in front of what holds everywhere.
        text = text.replacen("```\n\n", &format!("```\n\nHere: {cost}.\n\n"), 1);
    }
    Some(Hover { range: cursor.in_file(&cursor.tree.range(name)), text })
}

/// What the op costs with the types that it has here.
fn cost_here(cursor: &Cursor, start: u32) -> Option<String> {
    let lowered = cursor.lowered?;
    let index = lowered.spans.op_names.iter().position(|range| range.start == start)?;
    let known = facts::known_of(cursor.text, lowered);
    let cost = cost::of_op(&lowered.body, &known, OpId(index as u32));
    let each = if cost.is_open { ", every round or branch counted once" } else { "" };
    (!cost.is_nothing()).then(|| format!("{cost}{each}"))
}
