//! `if` with a constant condition, and `for` that never runs.

use crate::change::Change;
use crate::entry::Entry;
use crate::ops::flag;
use tile_analysis::ir::{Op, OpId, RegionId, Value};
use tile_analysis::number::decode_int;
use tile_dialect::{AttrName, Mnemonic as M};

pub(super) fn resolved(entry: &Entry<'_>, id: OpId, op: &Op) -> Option<Vec<Change>> {
    match op.op {
        M::If => branch(entry, id, op),
        M::For => never_run(entry, id, op),
        _ => None,
    }
}

/// Replaces an `if` by the region that its condition selects. A region that ends with a jump stays, because the ops
/// after it never run.
fn branch(entry: &Entry<'_>, id: OpId, op: &Op) -> Option<Vec<Change>> {
    let body = entry.body();
    let condition = entry.splat(*body.operands(op).first()?)?;
    let chosen: Option<RegionId> = body.regions_of(op).nth(usize::from(condition & 1 == 0));
    let Some(chosen) = chosen else { return Some(vec![Change::Remove(id)]) };
    let last = body.op(*body.region(chosen).ops.last()?);
    if last.op != M::Yield || has_constant_branch_around(entry, id) {
        return None;
    }
    let mut changes = instead(entry, op, body.operands(last))?;
    changes.push(Change::Inline(id, chosen));
    Some(changes)
}

/// Whether an `if` with a constant condition is around an op: it is resolved first.
fn has_constant_branch_around(entry: &Entry<'_>, id: OpId) -> bool {
    let mut around = entry.owner_of(entry.region_of(id));
    while let Some(owner) = around {
        let op = entry.op(owner);
        let condition = entry.body().operands(op).first();
        if op.op == M::If && condition.is_some_and(|condition| entry.splat(*condition).is_some()) {
            return true;
        }
        around = entry.owner_of(entry.region_of(owner));
    }
    false
}

/// Removes a `for` whose upper bound is not above the lower one. Its results are the initial values.
fn never_run(entry: &Entry<'_>, id: OpId, op: &Op) -> Option<Vec<Change>> {
    let body = entry.body();
    let &[low, high, _, ref initial @ ..] = body.operands(op) else { return None };
    let element = entry.constant(low)?.element;
    let (low, high) = (entry.splat(low)?, entry.splat(high)?);
    let is_unsigned = flag(body, op, AttrName::UnsignedCmp);
    let is_empty = if is_unsigned { high <= low } else { decode_int(element, high) <= decode_int(element, low) };
    if !is_empty {
        return None;
    }
    let mut changes = instead(entry, op, initial)?;
    changes.push(Change::Remove(id));
    Some(changes)
}

/// Uses other values instead of the results of an op; `None` if one of them has no name.
fn instead(entry: &Entry<'_>, op: &Op, values: &[Value]) -> Option<Vec<Change>> {
    let results = entry.body().results(op);
    let used = results.zip(values).filter(|(result, _)| entry.use_count(*result) > 0);
    used.map(|(result, &value)| {
        entry.name_of(value)?;
        Some(Change::Use { instead_of: result, value })
    })
    .collect()
}
