//! The objects in memory that an access can be in.

use crate::access::{Access, Base};
use crate::interpret::Interpretation;
use crate::loops::{initial_values, terminators};
use tile_analysis::ir::{Body, Def, Op, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The objects that an access can be in: several if its pointer is chosen at run time.
pub(super) fn objects(body: &Body, interpretation: &Interpretation, access: &Access) -> Vec<Base> {
    match &access.base {
        Some(Base::Computed(pointer)) => {
            let mut search = Search { body, interpretation, seen: Vec::new(), found: Vec::new() };
            search.pointer(*pointer);
            search.found
        }
        base => base.iter().cloned().collect(),
    }
}

/// A search for the sources of a pointer.
struct Search<'a> {
    body: &'a Body,
    interpretation: &'a Interpretation,
    /// The values that were visited, since loops are circles.
    seen: Vec<Value>,
    found: Vec<Base>,
}

impl Search<'_> {
    fn pointer(&mut self, pointer: Value) {
        if self.seen.contains(&pointer) {
            return;
        }
        self.seen.push(pointer);
        if let Some(base) = self.interpretation.object(pointer).filter(|base| !matches!(base, Base::Computed(_))) {
            return self.add(base.clone());
        }
        let sources = match self.body.def(pointer) {
            Some(Def::Result(id, index)) => self.of_result(self.body.op(id), index),
            Some(Def::Argument(region, index)) => self.of_argument(region, index),
            None => Vec::new(),
        };
        if sources.is_empty() {
            self.add(Base::Computed(pointer));
        }
        sources.into_iter().for_each(|source| self.pointer(source));
    }

    fn add(&mut self, base: Base) {
        if !self.found.contains(&base) {
            self.found.push(base);
        }
    }

    /// The pointers that a result of an op can be, or be computed from; none if it is loaded.
    fn of_result(&self, op: &Op, index: usize) -> Vec<Value> {
        let operands = |indices: &[usize]| indices.iter().filter_map(|&index| self.body.operand(op, index)).collect();
        match op.op {
            M::Select => operands(&[1, 2]),
            M::Cat => operands(&[0, 1]),
            M::Offset | M::PtrToPtr | M::Assume | M::Broadcast | M::Reshape | M::Permute | M::Extract => operands(&[0]),
            M::For | M::Loop | M::If => {
                let passed = terminators(self.body, op).into_iter().filter_map(|(_, values)| values.get(index));
                initial_values(self.body, op).get(index).into_iter().chain(passed).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The pointers that a loop carries as an argument.
    fn of_argument(&self, region: RegionId, index: usize) -> Vec<Value> {
        let Some(op) = self.body.ops.iter().find(|op| op.regions.contains(&region.0)) else { return Vec::new() };
        let index = index.checked_sub(usize::from(op.op == M::For));
        index.map_or_else(Vec::new, |index| self.of_result(op, index))
    }
}
