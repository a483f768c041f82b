//! Trip counts of counted loops.

use super::KnownValues;
use crate::ir::{Body, Op};
use tile_dialect::AttrName;

/// The number of iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripCount {
    /// The least number of iterations.
    pub least: u64,
    /// The greatest number of iterations; `None` if it is unknown.
    pub most: Option<u64>,
}

/// The trip count of a `for`, from the ranges of its bounds and its step. `None` if nothing is known.
pub fn trip_count(body: &Body, op: &Op, known: &KnownValues) -> Option<TripCount> {
    let bounds = |index: usize| known.bounds(body.operand(op, index)?);
    let row = op.op.row();
    let is_unsigned = row.attr(AttrName::UnsignedCmp).is_some_and(|(index, _)| body.attr(op, index).is_flag());
    let step = bounds(2).filter(|(low, _)| *low > 0)?;
    let (lower, upper) = (bounds(0), bounds(1));
    if is_unsigned && [lower, upper].into_iter().flatten().any(|(low, _)| low < 0) {
        return None;
    }
    let count = |from: i64, to: i64, step: i64| {
        let length = i128::from(to) - i128::from(from);
        (length.max(0) + i128::from(step) - 1) / i128::from(step)
    };
    let least = lower.zip(upper).map_or(0, |(lower, upper)| count(lower.1, upper.0, step.1));
    let most = lower.zip(upper).map(|(lower, upper)| count(lower.0, upper.1, step.0));
    let most = most.and_then(|most| u64::try_from(most).ok());
    // The limit of a 32-bit counter, 2^31 iterations, is not worth showing.
    const MAX_SHOWN: u64 = 1 << 24;
    let most = most.filter(|&most| most <= MAX_SHOWN);
    let least = u64::try_from(least).unwrap_or(0);
    (least > 0 || most.is_some()).then_some(TripCount { least, most })
}

impl std::fmt::Display for TripCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |count: u64| if count == 1 { "iteration" } else { "iterations" };
        match (self.least, self.most) {
            (_, Some(0)) => f.write_str("never runs"),
            (least, Some(most)) if least == most => write!(f, "{most} {}", word(most)),
            (0, Some(most)) => write!(f, "at most {most} {}", word(most)),
            (least, Some(most)) => write!(f, "{least} to {most} iterations"),
            (least, None) => write!(f, "at least {least} {}", word(least)),
        }
    }
}
