//! Loops and branches.

use super::{Cx, Found};
use crate::diagnostics as d;
use crate::ir::Op;
use tile_dialect::Mnemonic;

/// No view may be carried by a loop or come out of a branch; a branch with results has both regions; a step is not 0.
pub(super) fn carried(cx: &Cx, op: &Op, found: Found) {
    let row = op.op.row();
    let operands = cx.body.operands(op).iter().map(|&value| cx.body.ty(value));
    let results = cx.body.results(op).map(|value| cx.body.ty(value));
    if let Some(view) = operands.chain(results).find(|ty| ty.is_view()) {
        return found.push(d::carried_view(cx.places.name.clone(), row.name, view));
    }
    if op.op == Mnemonic::If && !op.results.is_empty() && op.regions.len() < 2 {
        found.push(d::missing_else(cx.places.name.clone()));
    }
    if op.op == Mnemonic::For
        && let Some(step) = cx.body.operand(op, 2)
        && let Some(known) = cx.known_integer(step)
        && known <= 0
    {
        found.push(d::for_step(cx.places.name.clone(), known));
    }
}
