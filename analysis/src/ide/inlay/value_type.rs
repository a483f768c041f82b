//! Inlay hints with the inferred types of results and of loop-carried values.

use super::super::{rule_words, type_words, types_at};
use super::statement::{Inlay, InlayKind, Statement};
use crate::ir::Value;
use tile_dialect::{OpRow, RegionArgs};

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    if statement.is_generic() {
        return;
    }
    let row = statement.op.op.row();
    results(statement, row, found);
    if row.regions.iter().any(|region| region.args == RegionArgs::Header) {
        carried(statement, found);
    }
}

fn results(statement: &Statement, row: &'static OpRow, found: &mut Vec<Inlay>) {
    let item = statement.item;
    let body = &item.lowered.body;
    if row.results.len() != statement.op.results.len() {
        return;
    }
    for (result, value) in row.results.iter().zip(body.results(statement.op)) {
        let is_written = types_at::states_result(item.tree, item.text, statement.node, row, result.name)
            || follows_from_written_type(statement, row, result.name);
        if !is_written {
            push(statement, value, found);
        }
    }
}

/// Reports whether a rule relates the result type to a type that the statement states.
fn follows_from_written_type(statement: &Statement, row: &'static OpRow, result: &str) -> bool {
    let item = statement.item;
    // If the statement states no type at all, the hint shows the missing one.
    let has_types = item.tree.child(statement.node, tile_syntax::NodeKind::Type).is_some();
    has_types && rule_words::rule_of(row, result).is_some()
}

/// Adds hints to loop-carried values, which are declared far from their types.
fn carried(statement: &Statement, found: &mut Vec<Inlay>) {
    let body = &statement.item.lowered.body;
    let is_loop = statement.op.op.row().operands.iter().any(|operand| operand.name == "initValues");
    let Some(region) = body.regions_of(statement.op).next().filter(|_| is_loop) else { return };
    let head = statement.range().start..statement.head_end();
    for &value in &body.region(region).args {
        let written = statement.item.lowered.spans.definition(value);
        let rest = statement.text(&(written.end..head.end)).trim_start();
        // A carried value is followed by `=`. The loop counter is followed by `in`, and its type is written after the
        // bounds.
        if head.start <= written.start && written.end <= head.end && rest.starts_with('=') {
            push(statement, value, found);
        }
    }
}

fn push(statement: &Statement, value: Value, found: &mut Vec<Inlay>) {
    let item = statement.item;
    let (ty, definition) = (item.lowered.body.ty(value), item.lowered.spans.definition(value));
    if !ty.is_unknown() && statement.text(&definition).starts_with('%') {
        let is_pack = item.lowered.spans.ranks[value.0 as usize] > 0;
        if !is_pack {
            found.push(statement.inlay(definition.end, format!(": {ty}"), InlayKind::Type, || type_words::words(ty)));
        }
    }
}
