//! The values that control loops and branches.

use tile_analysis::ir::{Body, Op, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The values that decide whether or how often the ops in a loop or branch run: its bounds, its condition, and those of
/// the branches that end an iteration.
pub(super) fn controls(body: &Body, op: &Op) -> Vec<Value> {
    let mut found = match op.op {
        M::For => (0..3).filter_map(|bound| body.operand(op, bound)).collect(),
        M::If => body.operand(op, 0).into_iter().collect(),
        _ => Vec::new(),
    };
    if matches!(op.op, M::For | M::Loop) {
        for region in body.regions_of(op) {
            early_ends(body, region, &mut found);
        }
    }
    found
}

/// Collects the conditions of branches in the body of a loop that end an iteration. Returns whether there are any.
fn early_ends(body: &Body, region: RegionId, found: &mut Vec<Value>) -> bool {
    let mut has_any = false;
    for op in body.region(region).ops.iter().map(|&id| body.op(id)).filter(|op| op.op == M::If) {
        for side in body.regions_of(op) {
            let last = body.region(side).ops.last().map(|&id| body.op(id).op);
            let is_left = last.is_some_and(|last| matches!(last, M::Break | M::Continue | M::Return));
            if early_ends(body, side, found) || is_left {
                found.extend(body.operand(op, 0));
                has_any = true;
            }
        }
    }
    has_any
}
