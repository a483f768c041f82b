//! Finds the values of a `loop` that decide how it continues. A loop in which only other values change, such as a
//! counter of attempts, still repeats itself.

use rustc_hash::{FxHashMap, FxHashSet};
use tile_analysis::ir::{Body, Op, OpId, RegionId, Value};
use tile_analysis::types::Type;
use tile_dialect::{Effect, Mnemonic};

/// For each value that a `loop` carries, whether its control flow or its memory accesses depend on it.
pub(crate) fn deciding(body: &Body, op: &Op) -> Vec<bool> {
    let Some(region) = body.regions_of(op).next() else { return Vec::new() };
    let mut slice = Slice { body, definitions: FxHashMap::default(), found: FxHashSet::default(), pending: Vec::new() };
    slice.scan(region);
    let carried = &body.region(region).args;
    let continues = ends(body, region, true).into_iter().map(|id| body.op(id));
    let continues: Vec<&Op> = continues.filter(|end| end.op == Mnemonic::Continue).collect();
    while let Some(value) = slice.pending.pop() {
        if let Some(index) = carried.iter().position(|&carried| carried == value) {
            let next = continues.iter().filter_map(|end| body.operands(end).get(index));
            next.for_each(|&value| slice.add(value));
        } else if let Some(&definition) = slice.definitions.get(&value) {
            slice.follow(body.op(definition));
        }
    }
    carried.iter().map(|value| slice.found.contains(value)).collect()
}

/// The values inside a loop on which its control flow and its effects depend.
struct Slice<'a> {
    body: &'a Body,
    /// The op that defines each value, as a result or as an argument of its region.
    definitions: FxHashMap<Value, OpId>,
    found: FxHashSet<Value>,
    /// Found values whose dependencies have not been added yet.
    pending: Vec<Value>,
}

impl Slice<'_> {
    fn add(&mut self, value: Value) {
        if self.body.ty(value) != Type::token() && self.found.insert(value) {
            self.pending.push(value);
        }
    }

    /// Collects the definitions in a region, and adds the operands that decide something.
    fn scan(&mut self, region: RegionId) {
        for &id in &self.body.region(region).ops {
            let op = self.body.op(id);
            self.definitions.extend(self.body.results(op).map(|value| (value, id)));
            let deciding = match (op.op, op.op.row().effect) {
                (Mnemonic::If, _) => 1,
                (Mnemonic::For, _) => 3,
                (Mnemonic::PrintTko, _) => 0,
                (_, Effect::Memory | Effect::None) if !op.op.row().is_terminator() => self.body.operands(op).len(),
                _ => 0,
            };
            self.body.operands(op)[..deciding].iter().for_each(|&value| self.add(value));
            for inner in self.body.regions_of(op) {
                self.definitions.extend(self.body.region(inner).args.iter().map(|&value| (value, id)));
                self.scan(inner);
            }
        }
    }

    /// Adds what the results and the region arguments of an op depend on.
    fn follow(&mut self, op: &Op) {
        self.body.operands(op).iter().for_each(|&value| self.add(value));
        let is_loop = matches!(op.op, Mnemonic::For | Mnemonic::Loop);
        let ends = self.body.regions_of(op).flat_map(|region| ends(self.body, region, is_loop));
        let ends: Vec<OpId> = ends.collect();
        for end in ends {
            self.body.operands(self.body.op(end)).iter().for_each(|&value| self.add(value));
        }
    }
}

/// The terminators that end an iteration of the loop with this region, or those that end the region itself.
fn ends(body: &Body, region: RegionId, is_loop: bool) -> Vec<OpId> {
    let mut found = Vec::new();
    for &id in &body.region(region).ops {
        let op = body.op(id);
        match op.op {
            Mnemonic::Yield if !is_loop => found.push(id),
            Mnemonic::Continue | Mnemonic::Break if is_loop => found.push(id),
            Mnemonic::If if is_loop => found.extend(body.regions_of(op).flat_map(|inner| ends(body, inner, true))),
            _ => {}
        }
    }
    found
}
