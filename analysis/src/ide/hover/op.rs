//! Hovers for ops: the cost and requirements in the program, then the documentation.

use super::super::cursor::Cursor;
use super::super::{cost, gpu_words, op_doc};
use super::content::Hover;
use super::facts;
use crate::ir::OpId;
use crate::lower::Lowered;
use tile_syntax::NodeKind;

/// The hover on the name of an op.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let name = cursor.node(NodeKind::OpName)?;
    let named = tile_dialect::lookup(cursor.tree.text(name, cursor.text).trim_matches('"'))?;
    let mut text = op_doc::markdown(named.row);
    let start = cursor.tree.range(name).start;
    let cost = cost_here(cursor, start).map(|cost| format!("Cost: {cost}."));
    let here: Vec<String> = cost.into_iter().chain(needs_here(cursor, start)).collect();
    if !here.is_empty() {
        // Insert them after the syntax, before the general documentation.
        text = text.replacen("```\n\n", &format!("```\n\n{}\n\n", here.join(" ")), 1);
    }
    Some(Hover { range: cursor.in_file(&cursor.tree.range(name)), text })
}

/// The GPU requirements of the op with its types in the program.
fn needs_here(cursor: &Cursor, start: u32) -> Vec<String> {
    let Some((lowered, op)) = op_here(cursor, start) else { return Vec::new() };
    gpu_words::of_op_here(&lowered.body, lowered.body.op(op))
}

fn op_here<'c>(cursor: &Cursor<'c>, start: u32) -> Option<(&'c Lowered, OpId)> {
    let lowered = cursor.lowered?;
    let index = lowered.spans.op_names.iter().position(|range| range.start == start)?;
    Some((lowered, OpId(index as u32)))
}

/// The cost of the op with its types in the program.
fn cost_here(cursor: &Cursor, start: u32) -> Option<String> {
    let (lowered, op) = op_here(cursor, start)?;
    let known = facts::known_of(cursor.text, lowered);
    let cost = cost::of_op(&lowered.body, &known, op);
    let each = if cost.is_open { ", counting each loop and branch once" } else { "" };
    (!cost.is_nothing()).then(|| format!("{cost}{each}"))
}
