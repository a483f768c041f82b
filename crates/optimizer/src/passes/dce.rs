//! Dead code: ops without effects whose results are not used.
//!
//! Sound because an op without effects can only contribute its results, or undefined behavior, which a program does not
//! have. That includes weak loads: they read memory and order nothing. Other loads synchronize with other tile blocks,
//! and stay, like all ops that write memory, print or stop the program. So do a `loop`, which need not end, and an op
//! from which control leaves the removed region.

use crate::change::{Change, Changes};
use crate::entry::Entry;
use crate::ops::{is_pure, is_weak_load};
use tile_analysis::ir::{Op, OpId, RegionId, Value};
use tile_dialect::{Mnemonic, OperandName};

pub(super) fn changes(entry: &Entry<'_>) -> Changes {
    let body = entry.body();
    let mut uses: Vec<u32> = (0..body.values.len() as u32).map(|value| entry.use_count(Value(value))).collect();
    let mut dead = vec![false; body.ops.len()];
    // An op comes after the ops that define its operands.
    for (id, op) in entry.ops().collect::<Vec<_>>().into_iter().rev() {
        let is_unused = op.results.clone().all(|value| uses[value as usize] == 0);
        if is_unused && is_removable(entry, op) {
            body.operands(op).iter().for_each(|value| uses[value.0 as usize] -= 1);
            dead[id.0 as usize] = true;
        }
    }
    let mut changes: Changes = Vec::new();
    for (id, op) in entry.ops() {
        if dead[id.0 as usize] && !is_inside_dead(entry, id, &dead) {
            changes.push(vec![Change::Remove(id)]);
        } else if !dead[id.0 as usize] {
            changes.extend(unordered_load(entry, id, op));
        }
    }
    changes
}

fn is_inside_dead(entry: &Entry<'_>, id: OpId, dead: &[bool]) -> bool {
    let mut around = entry.owner_of(entry.region_of(id));
    while let Some(owner) = around {
        if dead[owner.0 as usize] {
            return true;
        }
        around = entry.owner_of(entry.region_of(owner));
    }
    false
}

/// Whether an op can be removed if its results are not used.
fn is_removable(entry: &Entry<'_>, op: &Op) -> bool {
    match op.op {
        Mnemonic::If => has_no_effects(entry, op, false),
        Mnemonic::For | Mnemonic::Reduce | Mnemonic::Scan => has_no_effects(entry, op, true),
        _ => is_pure(op) || is_weak_load(entry.body(), op),
    }
}

/// Whether the ops in the regions of an op have no effects. With `continues`, a `continue` stays inside.
fn has_no_effects(entry: &Entry<'_>, op: &Op, continues: bool) -> bool {
    let body = entry.body();
    let is_harmless = |id: &OpId| {
        let op = body.op(*id);
        match op.op {
            Mnemonic::Yield => true,
            Mnemonic::Continue => continues,
            Mnemonic::If => has_no_effects(entry, op, continues),
            _ => is_removable(entry, op),
        }
    };
    body.regions_of(op).all(|region: RegionId| body.region(region).ops.iter().all(is_harmless))
}

/// Removes a weak load of which only the token is used. Later ops then wait for what the load would have waited for:
/// after the load itself, nothing can be observed.
fn unordered_load(entry: &Entry<'_>, id: OpId, op: &Op) -> Option<Vec<Change>> {
    let body = entry.body();
    if !is_weak_load(body, op) || op.results.len() != 2 {
        return None;
    }
    let (tile, token) = (Value(op.results.start), Value(op.results.start + 1));
    let before = op.op.row().operand(OperandName::Token).and_then(|(row, _)| body.operand(op, row))?;
    entry.name_of(before)?;
    let is_dead = entry.use_count(tile) == 0 && entry.use_count(token) > 0;
    is_dead.then(|| vec![Change::Use { instead_of: token, value: before }, Change::Remove(id)])
}
