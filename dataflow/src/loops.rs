//! The operands of loops.

use tile_analysis::ir::{Body, Op, Value};
use tile_dialect::Mnemonic as M;

/// The initial values that a loop carries into its first iteration; none for other ops.
pub(crate) fn initial_values<'a>(body: &'a Body, op: &Op) -> &'a [Value] {
    match op.op {
        // The bounds and the step precede them.
        M::For => body.group(op, 3),
        M::Loop => body.group(op, 0),
        _ => &[],
    }
}
