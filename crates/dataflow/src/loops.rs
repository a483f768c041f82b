//! How loops and branches end, and the values that they pass on.

use tile_analysis::ir::{Body, Op, RegionId, Value};
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

/// The terminators that pass values to the results or to the next iteration of an op, with those values.
pub(crate) fn terminators<'a>(body: &'a Body, op: &Op) -> Vec<(M, &'a [Value])> {
    let mut found = Vec::new();
    body.regions_of(op).for_each(|region| collect(body, region, op.op == M::If, &mut found));
    found
}

fn collect<'a>(body: &'a Body, region: RegionId, of_branch: bool, found: &mut Vec<(M, &'a [Value])>) {
    for &id in &body.region(region).ops {
        let op = body.op(id);
        match op.op {
            M::Yield if of_branch => found.push((op.op, body.operands(op))),
            M::Break | M::Continue if !of_branch => found.push((op.op, body.operands(op))),
            M::If if !of_branch => body.regions_of(op).for_each(|region| collect(body, region, false, found)),
            _ => {}
        }
    }
}

/// The op that ends an iteration, a loop or the tile block at the end of one side of a branch.
pub(crate) fn early_end(body: &Body, side: RegionId) -> Option<M> {
    let last = body.op(*body.region(side).ops.last()?).op;
    matches!(last, M::Break | M::Continue | M::Return).then_some(last)
}
