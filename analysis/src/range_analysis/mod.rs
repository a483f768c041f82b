//! Static analysis of integer ranges: bounds of values, from constants, assumptions, loop bounds, the shapes of views
//! and, if a launch is given, its grid and its integer arguments.
//!
//! One walk over an entry computes the ranges and finds certain errors: an index outside its index space, a slice that
//! does not exist, a loop whose step is not positive. Only certain errors are reported. If an op must execute, bounds
//! that are *attained* are certain too: some tile block or iteration has exactly that value.

mod checks;
mod eval;
mod range;
mod trip_count;
mod walk;

pub use trip_count::{TripCount, trip_count};
pub use walk::{Launched, NamedLaunch};

use crate::diagnostic::Diagnostic;
use crate::ir::{Body, Op, OpId, RegionId, Value};
use crate::source::Spans;
use eval::{BLOCK_SOURCES, Facts};
use range::IntRange;
use tile_dialect::AttrName;
use tile_dialect::Mnemonic as M;
use walk::Walk;

/// The certain errors of an entry. `text` is that of its item, and ranges are relative to its start.
pub fn certain_mistakes(text: &str, body: &Body, spans: &Spans, launched: &Launched) -> Vec<Diagnostic> {
    let is_checked = |op: &Op| checks::applies_to(op.op);
    if !body.ops.iter().any(is_checked) {
        return Vec::new();
    }
    let mut walk = Walk { text, facts: Facts::new(body), spans, launched, must_execute: true, found: Vec::new() };
    walk.params();
    walk.region(RegionId(0));
    walk.found
}

/// The ranges of the integers in the values of an entry, over all tile blocks and iterations.
#[derive(Clone, Debug, Default)]
pub struct KnownValues(Vec<Option<(i64, i64)>>);

impl KnownValues {
    /// The least and the greatest integer that a value can contain, if this is tighter than the range of its type.
    pub fn bounds(&self, value: Value) -> Option<(i64, i64)> {
        self.0.get(value.0 as usize).copied().flatten()
    }

    /// The only integer that a value can contain, if there is just one.
    pub fn only(&self, value: Value) -> Option<i64> {
        self.bounds(value).filter(|(low, high)| low == high).map(|(low, _)| low)
    }
}

/// The ranges of the values of an entry. `text` is that of its item, and `spans` are relative to its start.
pub fn known_values(text: &str, body: &Body, spans: &Spans, launched: &Launched) -> KnownValues {
    let mut walk = Walk { text, facts: Facts::new(body), spans, launched, must_execute: true, found: Vec::new() };
    walk.params();
    walk.region(RegionId(0));
    KnownValues((0..body.values.len() as u32).map(|value| walk.facts.bounds(Value(value))).collect())
}

impl<'a> Walk<'a> {
    fn params(&mut self) {
        let params = &self.facts.body.region(RegionId(0)).args;
        for (&param, number) in params.iter().zip(&self.launched.params) {
            if let (Some(number), true) = (number, self.facts.bits(param).is_some()) {
                self.facts.set(param, IntRange::exactly(*number));
            }
        }
    }

    fn region(&mut self, region: RegionId) {
        let body = self.facts.body;
        for &id in &body.region(region).ops {
            self.op(id, body.op(id));
        }
    }

    fn op(&mut self, id: OpId, op: &'a Op) {
        self.facts.define(id.0, op);
        checks::check(self, id, op);
        match op.op {
            M::GetTileBlockId => self.block_ids(op),
            M::GetNumTileBlocks => self.grid(op),
            M::For => self.for_loop(op),
            M::If => self.branches(op),
            // How often the body runs, and for which values, is unknown.
            M::Loop | M::Reduce | M::Scan => {
                self.conditionally(|walk| walk.regions(op));
                self.must_execute &= !leaves(self.facts.body, op, true);
            }
            // The ops after it may not execute.
            M::Return | M::Assert => self.must_execute = false,
            _ => self.facts.eval(op),
        }
    }

    fn regions(&mut self, op: &Op) {
        self.facts.body.regions_of(op).for_each(|region| self.region(region));
    }

    /// Walks code that need not execute.
    fn conditionally(&mut self, walk: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.must_execute, false);
        walk(self);
        self.must_execute = before;
    }

    fn block_ids(&mut self, op: &Op) {
        for (dim, result) in self.facts.body.results(op).enumerate().take(3) {
            let known = match self.launched.grid {
                Some(grid) => IntRange::varying(0, (grid[dim] - 1).max(0), Some(BLOCK_SOURCES[dim])),
                None => IntRange::within(0, i64::from(i32::MAX)),
            };
            self.facts.set(result, known);
        }
    }

    fn grid(&mut self, op: &Op) {
        for (dim, result) in self.facts.body.results(op).enumerate().take(3) {
            let known = match self.launched.grid {
                Some(grid) => IntRange::exactly(grid[dim]),
                None => IntRange::within(1, i64::from(i32::MAX)),
            };
            self.facts.set(result, known);
        }
    }

    /// The induction variable ranges from the lower bound to the last step below the upper bound.
    fn for_loop(&mut self, op: &Op) {
        let body = self.facts.body;
        let bound = |index: usize| body.operand(op, index).and_then(|value| self.facts.get(value));
        let (Some(lower), Some(upper), Some(step)) = (bound(0), bound(1), bound(2)) else {
            return self.conditionally(|walk| walk.regions(op));
        };
        let is_unsigned =
            op.op.row().attr(AttrName::UnsignedCmp).is_some_and(|(index, _)| body.attr(op, index).is_flag());
        if is_unsigned && (lower.low < 0 || upper.low < 0) {
            return self.conditionally(|walk| walk.regions(op));
        }
        if lower.low >= upper.high {
            return; // it never runs
        }
        let argument = body.regions_of(op).next().and_then(|region| body.region(region).args.first().copied());
        let (variable, runs) = match (lower.only(), upper.only(), step.only()) {
            (Some(lower), Some(upper), Some(step)) if step > 0 => {
                let last = i128::from(lower)
                    + (i128::from(upper) - 1 - i128::from(lower)) / i128::from(step) * i128::from(step);
                (IntRange::varying(lower, last as i64, self.facts.source()), true)
            }
            _ => (IntRange::within(lower.low, upper.high - 1), false),
        };
        if let Some(argument) = argument {
            self.facts.set(argument, variable);
        }
        let before = self.must_execute;
        self.must_execute &= runs;
        self.regions(op);
        self.must_execute = before;
    }

    /// Walks the regions that can run.
    fn branches(&mut self, op: &Op) {
        let condition = self.facts.body.operand(op, 0).and_then(|value| self.facts.get(value)).and_then(IntRange::only);
        for (index, region) in self.facts.body.regions_of(op).enumerate() {
            match condition {
                Some(value) if (value != 0) != (index == 0) => {}
                Some(_) => self.region(region),
                None => self.conditionally(|walk| walk.region(region)),
            }
        }
        self.must_execute &= !leaves(self.facts.body, op, false);
    }
}

/// Whether a region of an op can exit the block, or the iteration that contains the op, so that the ops after it may
/// not run. `inside_loop` is set if `break` and `continue` only exit a loop within the op.
fn leaves(body: &Body, op: &Op, inside_loop: bool) -> bool {
    body.regions_of(op).flat_map(|region| &body.region(region).ops).any(|&id| {
        let op = body.op(id);
        match op.op {
            M::Return | M::Assert => true,
            M::Break | M::Continue => !inside_loop,
            M::For | M::Loop => leaves(body, op, true),
            _ => leaves(body, op, inside_loop),
        }
    })
}
