//! What a value held in a run: totals over all executions, and the first executions.

use crate::observer::tally::Tally;
use crate::observer::traced::{Execution, Traced};
use std::cmp::Ordering;
use tile_analysis::ir;

/// How many executions of a value are kept.
const MAX_FIRST: usize = 4;

/// What a value held in a run. Its size does not depend on the number of executions.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// The IR value.
    pub value: ir::Value,
    /// How often it was computed.
    pub runs: u64,
    /// The totals of the elements of all executions; empty for pointers and views.
    pub total: Tally,
    /// The first execution with the smallest element.
    pub least: Option<Execution>,
    /// The first execution with the largest element.
    pub greatest: Option<Execution>,
    /// The first execution with a NaN.
    pub nan: Option<Execution>,
    /// The first executions, in the order of the grid.
    pub first: Vec<Traced>,
}

impl Recorded {
    pub(crate) fn new(value: ir::Value) -> Recorded {
        let total = Tally::default();
        Recorded { value, runs: 0, total, least: None, greatest: None, nan: None, first: Vec::new() }
    }

    /// Whether the next execution is one of the first.
    pub(crate) fn keeps_next(&self) -> bool {
        self.first.len() < MAX_FIRST
    }

    /// Adds the elements of an execution. Executions are added in the order of the grid.
    pub(crate) fn add(&mut self, tally: &Tally, execution: impl Fn() -> Execution) {
        if tally.lowers(&self.total) {
            self.least = Some(execution());
        }
        if tally.raises(&self.total) {
            self.greatest = Some(execution());
        }
        if tally.has_nan() && self.nan.is_none() {
            self.nan = Some(execution());
        }
        self.total.merge(tally);
    }

    /// Adds the executions of another thread.
    pub(crate) fn merge(&mut self, other: Recorded) {
        let Recorded { value: _, runs, total, least, greatest, nan, first } = other;
        self.least = choose(self.least.take(), least, total.lowers(&self.total), self.total.lowers(&total));
        self.greatest = choose(self.greatest.take(), greatest, total.raises(&self.total), self.total.raises(&total));
        self.nan = choose(self.nan.take(), nan, false, false);
        self.runs += runs;
        self.total.merge(&total);
        self.first.extend(first);
        let key = |traced: &Traced| (position(traced.block), traced.iterations.clone());
        self.first.sort_by_key(key);
        self.first.truncate(MAX_FIRST);
    }
}

/// The more extreme of two executions, or the earlier one.
fn choose(own: Option<Execution>, other: Option<Execution>, other_wins: bool, own_wins: bool) -> Option<Execution> {
    match (own, other) {
        (Some(own), Some(other)) => {
            let is_earlier = other_wins || (!own_wins && order(&other, &own) == Ordering::Less);
            Some(if is_earlier { other } else { own })
        }
        (own, other) => own.or(other),
    }
}

fn order(one: &Execution, other: &Execution) -> Ordering {
    (position(one.block), &one.iterations).cmp(&(position(other.block), &other.iterations))
}

/// A key that orders tile blocks as the grid does.
fn position([x, y, z]: [u32; 3]) -> [u32; 3] {
    [z, y, x]
}
