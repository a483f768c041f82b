//! The values that control loops and branches.

use tile_analysis::ir::{Body, Op, Value};
use tile_dialect::Mnemonic as M;

/// The values that decide whether or how often the ops in a loop or branch run: its bounds or its condition.
pub(super) fn controls(body: &Body, op: &Op) -> Vec<Value> {
    match op.op {
        M::For => (0..3).filter_map(|bound| body.operand(op, bound)).collect(),
        M::If => body.operand(op, 0).into_iter().collect(),
        _ => Vec::new(),
    }
}
