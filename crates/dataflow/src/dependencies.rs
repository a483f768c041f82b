//! The values that an access or a loop is computed from.

use crate::loops::{initial_values, terminators};
use tile_analysis::ir::{Body, Def, Op, OpId, RegionId, Value};
use tile_dialect::{Class, Mnemonic as M};

/// One of some values, which are in order, if it decides which elements an op accesses or how often it runs. Without an
/// op, if it decides how often any loop or branch runs.
pub(crate) fn dependency(body: &Body, access: Option<OpId>, values: &[Value]) -> Option<Value> {
    let mut search = Search { body, values, seen: vec![false; body.values.len()], queue: Vec::new() };
    if let Some(op) = access.map(|access| body.op(access)) {
        for group in (0..op.op.row().operands.len()).filter(|&group| !is_stored_tile(op, group)) {
            search.queue.extend(body.group(op, group));
        }
    }
    controls(body, RegionId(0), access, access.is_none(), &mut search.queue);
    search.run()
}

/// Collects what decides how often an op runs: the bounds of loops around it, the conditions of branches around it, and
/// those of branches that end the tile block, or an iteration of a loop around it, which `is_around` says of the
/// innermost one.
fn controls(body: &Body, region: RegionId, op: Option<OpId>, is_around: bool, found: &mut Vec<Value>) {
    for &id in &body.region(region).ops {
        let inner = body.op(id);
        let is_loop = matches!(inner.op, M::For | M::Loop);
        let contains = Some(id) == op || body.regions_of(inner).any(|region| contains(body, region, op));
        let is_around = if is_loop { contains || op.is_none() } else { is_around };
        for region in body.regions_of(inner) {
            controls(body, region, op, is_around, found);
        }
        let operands = match inner.op {
            M::For if is_around => 0..3,
            M::If if contains || body.regions_of(inner).any(|side| ends_early(body, side, is_around)) => 0..1,
            _ => 0..0,
        };
        found.extend(operands.filter_map(|operand| body.operand(inner, operand)));
    }
}

/// Whether a region contains an op.
fn contains(body: &Body, region: RegionId, op: Option<OpId>) -> bool {
    let is_in =
        |&inner: &OpId| Some(inner) == op || body.regions_of(body.op(inner)).any(|region| contains(body, region, op));
    body.region(region).ops.iter().any(is_in)
}

/// Whether one side of a branch can end the tile block; or the iteration, if that counts.
fn ends_early(body: &Body, side: RegionId, counts_iterations: bool) -> bool {
    body.region(side).ops.iter().map(|&id| body.op(id)).any(|op| match op.op {
        M::Return => true,
        M::Break | M::Continue => counts_iterations,
        M::If => body.regions_of(op).any(|side| ends_early(body, side, counts_iterations)),
        _ => false,
    })
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
                Some(Def::Result(id, index)) => self.result(id, index),
                Some(Def::Argument(RegionId(0), _)) | None => {}
                Some(Def::Argument(region, index)) => self.argument(region, index),
            }
        }
        None
    }

    fn result(&mut self, id: OpId, index: usize) {
        let op = self.body.op(id);
        match op.op {
            M::For | M::Loop | M::If => self.passed(op, index),
            // What a loaded value is computed from does not matter.
            M::LoadPtrTko | M::LoadViewTko => {}
            _ => self.queue.extend(self.body.operands(op)),
        }
    }

    /// A value that a loop carries.
    fn argument(&mut self, region: RegionId, index: usize) {
        let Some(op) = self.body.ops.iter().find(|op| op.regions.contains(&region.0)) else { return };
        if let Some(index) = index.checked_sub(usize::from(op.op == M::For)) {
            self.passed(op, index);
        }
    }

    /// Adds what a loop or branch passes on as its result or argument with this index, and what decides which.
    fn passed(&mut self, op: &Op, index: usize) {
        self.queue.extend(initial_values(self.body, op).get(index));
        let decisive = match op.op {
            M::For => 0..3,
            M::If => 0..1,
            _ => 0..0,
        };
        self.queue.extend(decisive.filter_map(|operand| self.body.operand(op, operand)));
        self.queue.extend(terminators(self.body, op).into_iter().filter_map(|(_, values)| values.get(index)));
    }
}

/// Whether an operand row of an access is the tile that is stored, rather than one that selects elements.
pub(crate) fn is_stored_tile(op: &Op, group: usize) -> bool {
    let row = &op.op.row().operands[group];
    let selects = ["mask", "index", "view"].contains(&row.name);
    !selects && !matches!(row.class, Class::Pointers | Class::TileView | Class::Token)
}
