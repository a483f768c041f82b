//! Common subexpressions: ops that compute the same values are merged.
//!
//! Sound because a pure op with equal operands, attributes and types gives equal results, and the earlier op has run
//! wherever the later one runs: it precedes it in the same region or an enclosing one. An op whose behavior is
//! undefined for its operands is undefined the first time. Ops that access memory are not merged, nor are ops with
//! regions.

use crate::change::{Change, Changes};
use crate::entry::Entry;
use crate::ops::is_pure;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use tile_analysis::ir::{Attr, Op, OpId, RegionId, Value};
use tile_analysis::types::Type;
use tile_dialect::Mnemonic;

pub(super) fn changes(entry: &Entry<'_>) -> Changes {
    let mut walk = Walk { entry, known: FxHashMap::default(), same: FxHashMap::default(), changes: Vec::new() };
    walk.region(RegionId(0));
    walk.changes
}

/// What must be equal.
#[derive(PartialEq, Eq, Hash)]
struct Key<'e> {
    op: Mnemonic,
    attrs: &'e [Attr],
    operands: Vec<Value>,
    results: Vec<Type>,
}

struct Walk<'e, 't> {
    entry: &'e Entry<'t>,
    /// The first of equal ops that have run wherever the walk is.
    known: FxHashMap<Key<'e>, OpId>,
    /// The value that replaces each merged one.
    same: FxHashMap<Value, Value>,
    changes: Changes,
}

impl<'e> Walk<'e, '_> {
    fn region(&mut self, region: RegionId) {
        let entry = self.entry;
        let body = entry.body();
        let mut added = Vec::new();
        for &id in &body.region(region).ops {
            let op = body.op(id);
            if is_pure(op) {
                match self.known.entry(self.key(op)) {
                    Occupied(known) => {
                        let other = *known.get();
                        self.merge(id, op, other);
                    }
                    Vacant(free) => {
                        free.insert(id);
                        added.push(id);
                    }
                }
            }
            body.regions_of(op).for_each(|inner| self.region(inner));
        }
        for id in added {
            self.known.remove(&self.key(body.op(id)));
        }
    }

    /// Merges an op with an equal one that has run before, unless it has no name.
    fn merge(&mut self, id: OpId, op: &Op, other: OpId) {
        let (entry, body) = (self.entry, self.entry.body());
        let pairs: Vec<(Value, Value)> = body.results(op).zip(body.results(body.op(other))).collect();
        let is_named = |(own, first): &(Value, Value)| entry.use_count(*own) == 0 || entry.name_of(*first).is_some();
        if !pairs.iter().all(is_named) {
            return;
        }
        let used = pairs.iter().filter(|(own, _)| entry.use_count(*own) > 0);
        let uses = used.map(|&(own, first)| Change::Use { instead_of: own, value: first });
        self.changes.push(uses.chain([Change::Remove(id)]).collect());
        self.same.extend(pairs);
    }

    fn key(&self, op: &Op) -> Key<'e> {
        let body = self.entry.body();
        let operands = body.operands(op).iter().map(|value| *self.same.get(value).unwrap_or(value));
        let mut operands: Vec<Value> = operands.collect();
        if is_commutative(op.op) {
            operands.sort_unstable();
        }
        Key {
            op: op.op,
            attrs: body.attrs_of(op),
            operands,
            results: body.results(op).map(|value| body.ty(value)).collect(),
        }
    }
}

/// Whether the operands of an op can be swapped. Those of float ops cannot: of two NaNs, the result can be either.
fn is_commutative(op: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(op, Addi | Muli | Mulhii | Andi | Ori | Xori | Maxi | Mini)
}
