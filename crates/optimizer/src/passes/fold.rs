//! Constant folding: an op whose operands are constants becomes a constant.
//!
//! Sound because the CPU engine computes the result, which the language defines to the last bit: see
//! [`crate::evaluate`] for the ops. An op whose behavior is undefined for its operands stays.

use crate::change::{Change, Changes, NewOp};
use crate::entry::Entry;
use crate::evaluate::evaluate;
use crate::ops::is_pure;
use rustc_hash::FxHashMap;
use tile_analysis::ir::{Attr, Dense, Value};
use tile_dialect::Mnemonic;

/// The most different elements that a folded constant may list.
const MAX_LISTED: usize = 16;

pub(super) fn changes(entry: &Entry<'_>) -> Changes {
    let body = entry.body();
    let mut known: FxHashMap<Value, Dense> = FxHashMap::default();
    let mut changes = Changes::new();
    for (id, op) in entry.ops() {
        let Some(result) = entry.result(op).filter(|_| is_pure(op)) else { continue };
        if op.op == Mnemonic::Constant {
            known.extend(entry.constant(result).map(|dense| (result, dense.clone())));
            continue;
        }
        let operands: Option<Vec<&Dense>> = body.operands(op).iter().map(|value| known.get(value)).collect();
        let Some(operands) = operands.filter(|operands| !operands.is_empty()) else { continue };
        let Some(dense) = evaluate(body, op, &operands).filter(|dense| dense.bits.len() <= MAX_LISTED) else {
            continue;
        };
        changes.push(vec![Change::Rewrite(id, constant(dense.clone()))]);
        known.insert(result, dense);
    }
    changes
}

/// A constant with these elements.
pub(super) fn constant(dense: Dense) -> NewOp {
    NewOp { op: Mnemonic::Constant, groups: Vec::new(), attrs: vec![Attr::Dense(Box::new(dense))] }
}
