//! How often a counted loop runs.

use super::super::cost;
use super::statement::{Inlay, InlayKind, Statement};
use crate::known;
use tile_dialect::Effect;

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    let row = statement.op.op.row();
    if row.effect != Effect::Regions || row.operand("step").is_none() {
        return;
    }
    let item = statement.item;
    let body = &item.lowered.body;
    let Some(rounds) = known::rounds(body, statement.op, &item.known) else { return };
    let tooltip = || {
        let whole = cost::of_op(body, &item.known, statement.id);
        if whole.is_nothing() { String::new() } else { format!("All rounds together: {whole}.") }
    };
    found.push(statement.inlay(statement.head_end(), rounds.to_string(), InlayKind::Rounds, tooltip));
}
