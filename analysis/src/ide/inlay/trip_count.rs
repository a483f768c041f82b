//! Inlay hints with the trip counts of `for` loops.

use super::super::cost;
use super::statement::{Inlay, InlayKind, Statement};
use crate::range_analysis;
use tile_dialect::{Effect, OperandName};

pub(super) fn inlays(statement: &Statement, found: &mut Vec<Inlay>) {
    let row = statement.op.op.row();
    if row.effect != Effect::Regions || row.operand(OperandName::Step).is_none() {
        return;
    }
    let item = statement.item;
    let body = &item.lowered.body;
    let Some(count) = range_analysis::trip_count(body, statement.op, &item.known) else { return };
    let tooltip = || {
        let total = cost::of_op(body, &item.known, statement.id);
        if total.is_nothing() { String::new() } else { format!("Total cost: {total}.") }
    };
    found.push(statement.inlay(statement.head_end(), count.to_string(), InlayKind::TripCount, tooltip));
}
