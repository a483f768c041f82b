//! The values that an access or a loop is computed from.

use crate::loops::initial_values;
use tile_analysis::ir::{Body, Def, Op, OpId, RegionId, Value};
use tile_dialect::{Class, Mnemonic as M};

/// One of some values, which are in order, if it decides which elements an op accesses, or how often loops and branches run. Without an op,
/// only the latter.
pub(crate) fn dependency(body: &Body, access: Option<OpId>, values: &[Value]) -> Option<Value> {
    let mut search = Search { body, values, seen: vec![false; body.values.len()], queue: Vec::new() };
    if let Some(op) = access.map(|access| body.op(access)) {
        for group in (0..op.op.row().operands.len()).filter(|&group| !is_stored_tile(op, group)) {
            search.queue.extend(body.group(op, group));
        }
    }
    // Loops and branches contain the access, or end before it.
    for op in body.ops.iter().filter(|op| matches!(op.op, M::For | M::If)) {
        let operands = if op.op == M::For { 0..3 } else { 0..1 };
        search.queue.extend(operands.filter_map(|operand| body.operand(op, operand)));
    }
    search.run()
}

struct Search<'a> {
    body: &'a Body,
    values: &'a [Value],
    seen: Vec<bool>,
    queue: Vec<Value>,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Value> {
        while let Some(value) = self.queue.pop() {
            if std::mem::replace(&mut self.seen[value.0 as usize], true) {
                continue;
            }
            if self.values.binary_search_by_key(&value.0, |other| other.0).is_ok() {
                return Some(value);
            }
            match self.body.def(value) {
                Some(Def::Result(id, _)) => self.op(id),
                Some(Def::Argument(RegionId(0), _)) | None => {}
                Some(Def::Argument(region, _)) => {
                    let owner = self.body.ops.iter().position(|op| op.regions.contains(&region.0));
                    owner.into_iter().for_each(|owner| self.nested(OpId(owner as u32)));
                }
            }
        }
        None
    }

    fn op(&mut self, id: OpId) {
        let op = self.body.op(id);
        match op.op {
            M::For | M::Loop | M::If => self.nested(id),
            // What a loaded value is computed from does not matter.
            M::LoadPtrTko | M::LoadViewTko => {}
            _ => self.queue.extend(self.body.operands(op)),
        }
    }

    /// Adds what a loop or branch passes on.
    fn nested(&mut self, id: OpId) {
        let op = self.body.op(id);
        self.queue.extend(initial_values(self.body, op));
        self.body.regions_of(op).for_each(|region| self.terminators(region));
    }

    fn terminators(&mut self, region: RegionId) {
        for op in self.body.region(region).ops.iter().map(|&id| self.body.op(id)) {
            match op.op {
                M::Yield | M::Continue | M::Break => self.queue.extend(self.body.operands(op)),
                M::If => self.body.regions_of(op).for_each(|side| self.terminators(side)),
                _ => {}
            }
        }
    }
}

/// Whether an operand row of an access is the tile that is stored, rather than one that selects elements.
pub(crate) fn is_stored_tile(op: &Op, group: usize) -> bool {
    let row = &op.op.row().operands[group];
    let selects = ["mask", "index", "view"].contains(&row.name);
    !selects && !matches!(row.class, Class::Pointers | Class::TileView | Class::Token)
}
