//! The ops of an entry that belong in its graph: those on the way from loads to stores.

use super::controls::controls;
use crate::interpret::Interpretation;
use crate::loops::{early_end, initial_values, terminators};
use tile_analysis::ir::{Body, Def, Op, OpId, RegionId, Value};
use tile_dialect::Mnemonic as M;

/// The ops and values in the graph.
pub(super) struct Relevant {
    ops: Vec<bool>,
    values: Vec<bool>,
}

impl Relevant {
    pub(super) fn of(body: &Body, interpretation: &Interpretation) -> Relevant {
        let mut found = Search {
            body,
            loaded: loaded(body, interpretation),
            relevant: Relevant { ops: vec![false; body.ops.len()], values: vec![false; body.values.len()] },
            queue: Vec::new(),
        };
        interpretation.accesses.iter().for_each(|access| found.op(access.op));
        // What controls a region can be loaded in another one.
        loop {
            found.run();
            found.regions();
            if found.queue.is_empty() {
                break;
            }
        }
        found.relevant
    }

    pub(super) fn has_op(&self, op: OpId) -> bool {
        self.ops[op.0 as usize]
    }

    pub(super) fn has(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }
}

/// The values that depend on something loaded, by number. Values carried by loops count unless they are indices.
fn loaded(body: &Body, interpretation: &Interpretation) -> Vec<bool> {
    let mut loaded = vec![false; body.values.len()];
    for (value, ty) in (0..).map(Value).zip(&body.values) {
        let is_argument = || matches!(body.def(value), Some(Def::Argument(RegionId(1..), _)));
        loaded[value.0 as usize] = ty.as_tile().is_some() && !interpretation.is_computed(value) && is_argument();
    }
    for (id, op) in (0..).map(OpId).zip(&body.ops) {
        let is_access = interpretation.accesses.iter().any(|access| access.op == id);
        let depends = || body.operands(op).iter().any(|operand| loaded[operand.0 as usize]);
        let is_branch = !op.regions.is_empty() && !matches!(op.op, M::Reduce | M::Scan);
        if is_access || is_branch || depends() {
            for result in body.results(op).filter(|&result| !interpretation.is_computed(result)) {
                loaded[result.0 as usize] = body.ty(result).as_tile().is_some();
            }
        }
    }
    loaded
}

struct Search<'a> {
    body: &'a Body,
    loaded: Vec<bool>,
    relevant: Relevant,
    queue: Vec<Value>,
}

impl Search<'_> {
    fn op(&mut self, id: OpId) {
        if !std::mem::replace(&mut self.relevant.ops[id.0 as usize], true) {
            let operands = self.body.operands(self.body.op(id));
            operands.iter().for_each(|&operand| self.value(operand));
        }
    }

    fn value(&mut self, value: Value) {
        let index = value.0 as usize;
        if self.loaded[index] && !std::mem::replace(&mut self.relevant.values[index], true) {
            self.queue.push(value);
        }
    }

    fn run(&mut self) {
        while let Some(value) = self.queue.pop() {
            match self.body.def(value) {
                Some(Def::Result(id, index)) => self.result(id, index),
                Some(Def::Argument(region, index)) => self.argument(region, index),
                None => {}
            }
        }
    }

    fn result(&mut self, id: OpId, index: usize) {
        let op = self.body.op(id);
        match op.op {
            M::For | M::Loop | M::If => {
                self.relevant.ops[id.0 as usize] = true;
                for (_, values) in terminators(self.body, op) {
                    values.get(index).into_iter().for_each(|&value| self.value(value));
                }
                self.initial(op, index);
            }
            _ => self.op(id),
        }
    }

    /// A value that a loop carries: its initial value and the next one.
    fn argument(&mut self, region: RegionId, index: usize) {
        let owner = self.body.ops.iter().find(|op| op.regions.contains(&region.0));
        let Some(op) = owner else { return };
        let Some(index) = index.checked_sub(usize::from(op.op == M::For)) else { return };
        self.initial(op, index);
        for (terminator, values) in terminators(self.body, op) {
            if terminator == M::Continue {
                values.get(index).into_iter().for_each(|&value| self.value(value));
            }
        }
    }

    fn initial(&mut self, op: &Op, index: usize) {
        initial_values(self.body, op).get(index).into_iter().for_each(|&value| self.value(value));
    }

    /// Adds the loops and branches around relevant ops, the branches that end early, and the loaded values that decide
    /// whether or how often they run.
    fn regions(&mut self) {
        for id in (0..self.body.ops.len() as u32).rev().map(OpId) {
            let op = self.body.op(id);
            let inner = self.body.regions_of(op).flat_map(|region| &self.body.region(region).ops);
            let has_relevant = inner.into_iter().any(|&inner| self.relevant.has_op(inner));
            self.relevant.ops[id.0 as usize] |= has_relevant || self.ends_early(op);
            if self.relevant.has_op(id) {
                controls(self.body, op).into_iter().for_each(|value| self.value(value));
            }
        }
    }

    /// Whether this is a branch that ends an iteration, a loop or the tile block.
    fn ends_early(&self, op: &Op) -> bool {
        op.op == M::If && self.body.regions_of(op).any(|side| early_end(self.body, side).is_some())
    }
}
