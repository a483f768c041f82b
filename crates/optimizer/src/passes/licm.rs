//! Loop-invariant code: ops in the body of a loop whose operands are defined outside of it move in front of it.
//!
//! Sound because a pure op with the same operands gives the same results in every iteration. A loop need not run at
//! all, and its body need not reach the op, so only ops that are defined for all operands move: no division, unless by
//! a constant other than 0 and -1, no op that promises not to overflow, no `assume`, no slice of a tile.

use crate::change::{Change, Changes};
use crate::entry::Entry;
use crate::ops::is_speculatable;
use rustc_hash::FxHashSet;
use tile_analysis::ir::{OpId, RegionId, Value};
use tile_dialect::Mnemonic;

pub(super) fn changes(entry: &Entry<'_>) -> Changes {
    let loops = entry.ops().filter(|(_, op)| matches!(op.op, Mnemonic::For | Mnemonic::Loop));
    loops
        .flat_map(|(id, op)| entry.body().regions_of(op).flat_map(move |region| invariant(entry, id, region)))
        .collect()
}

/// The invariant ops of the body of a loop. Those in nested regions follow when they have moved to this one.
fn invariant(entry: &Entry<'_>, before: OpId, region: RegionId) -> Changes {
    let body = entry.body();
    let mut moved: FxHashSet<Value> = FxHashSet::default();
    let mut changes = Changes::new();
    for &id in &body.region(region).ops {
        let op = body.op(id);
        let is_outside =
            |value: &Value| moved.contains(value) || !entry.is_within(entry.region_defining(*value), region);
        let is_named = body.results(op).all(|value| entry.name_of(value).is_some());
        if is_named && is_speculatable(entry, op) && body.operands(op).iter().all(is_outside) {
            moved.extend(body.results(op));
            changes.push(vec![Change::Hoist { op: id, before }]);
        }
    }
    changes
}
