//! What to show about an op: what it costs here, then its documentation.

use super::super::cursor::Cursor;
use super::super::{cost, gpu_words, op_doc};
use super::facts;
use super::shown::Hover;
use crate::ir::OpId;
use crate::lower::Lowered;
use tile_syntax::NodeKind;

/// The documentation of an op, on its name.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let name = cursor.node(NodeKind::OpName)?;
    let named = tile_dialect::lookup(cursor.tree.text(name, cursor.text).trim_matches('"'))?;
    let mut text = op_doc::markdown(named.row);
    let start = cursor.tree.range(name).start;
    let cost = cost_here(cursor, start).map(|cost| format!("Here: {cost}."));
    let here: Vec<String> = cost.into_iter().chain(needs_here(cursor, start)).collect();
    if !here.is_empty() {
        // Right behind how it is written, in front of what holds everywhere.
        text = text.replacen("```\n\n", &format!("```\n\n{}\n\n", here.join(" ")), 1);
    }
    Some(Hover { range: cursor.in_file(&cursor.tree.range(name)), text })
}

/// The GPUs that the op needs with the types that it has here.
fn needs_here(cursor: &Cursor, start: u32) -> Vec<String> {
    let Some((lowered, op)) = op_here(cursor, start) else { return Vec::new() };
    gpu_words::of_op_here(&lowered.body, lowered.body.op(op))
}

fn op_here<'c>(cursor: &Cursor<'c>, start: u32) -> Option<(&'c Lowered, OpId)> {
    let lowered = cursor.lowered?;
    let index = lowered.spans.op_names.iter().position(|range| range.start == start)?;
    Some((lowered, OpId(index as u32)))
}

/// What the op costs with the types that it has here.
fn cost_here(cursor: &Cursor, start: u32) -> Option<String> {
    let (lowered, op) = op_here(cursor, start)?;
    let known = facts::known_of(cursor.text, lowered);
    let cost = cost::of_op(&lowered.body, &known, op);
    let each = if cost.is_open { ", every iteration or branch counted once" } else { "" };
    (!cost.is_nothing()).then(|| format!("{cost}{each}"))
}
