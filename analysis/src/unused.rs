//! Ops whose results are not used.

use crate::ir::{Body, Op, OpId};
use tile_dialect::Effect;

/// Whether the op can be removed if its results are unused.
pub(crate) fn is_removable(op: &Op) -> bool {
    let row = op.op.row();
    matches!(row.effect, Effect::Pure | Effect::None) && !row.is_terminator() && row.regions.is_empty()
}

/// An op without side effects whose results are unused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnusedOp {
    /// The op.
    pub op: OpId,
    /// Whether other unused ops use its results.
    pub is_used: bool,
}

/// The ops without side effects whose results are unused, or used only by ops that are themselves unused.
pub fn unused_ops(body: &Body) -> Vec<UnusedOp> {
    let mut uses = vec![0u32; body.values.len()];
    body.operands.iter().for_each(|value| uses[value.0 as usize] += 1);
    let all_uses = uses.clone();
    let mut found = Vec::new();
    // An op comes after the ops that define its operands, so one walk from the end is enough.
    for index in (0..body.ops.len()).rev() {
        let op = &body.ops[index];
        let is_unused = op.results.clone().all(|value| uses[value as usize] == 0);
        if is_unused && !op.results.is_empty() && is_removable(op) {
            body.operands(op).iter().for_each(|value| uses[value.0 as usize] -= 1);
            let is_used = op.results.clone().any(|value| all_uses[value as usize] > 0);
            found.push(UnusedOp { op: OpId(index as u32), is_used });
        }
    }
    found.reverse();
    found
}
