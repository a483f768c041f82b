//! Trip counts of counted loops.

use super::KnownValues;
use crate::ir::{Body, Op};
use tile_dialect::AttrName;

/// The number of iterations of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripCount {
    /// The least number of iterations.
    pub min: u64,
    /// The greatest number of iterations; `None` if it is unknown.
    pub max: Option<u64>,
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
    let min = lower.zip(upper).map_or(0, |(lower, upper)| count(lower.1, upper.0, step.1));
    let max = lower.zip(upper).map(|(lower, upper)| count(lower.0, upper.1, step.0));
    let max = max.and_then(|max| u64::try_from(max).ok());
    // The limit of a 32-bit counter, 2^31 iterations, is not worth showing.
    const MAX_SHOWN: u64 = 1 << 24;
    let max = max.filter(|&max| max <= MAX_SHOWN);
    let min = u64::try_from(min).unwrap_or(0);
    (min > 0 || max.is_some()).then_some(TripCount { min, max })
}

impl std::fmt::Display for TripCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = |count: u64| if count == 1 { "iteration" } else { "iterations" };
        match (self.min, self.max) {
            (_, Some(0)) => f.write_str("never runs"),
            (min, Some(max)) if min == max => write!(f, "{max} {}", word(max)),
            (0, Some(max)) => write!(f, "at most {max} {}", word(max)),
            (min, Some(max)) => write!(f, "{min} to {max} iterations"),
            (min, None) => write!(f, "at least {min} {}", word(min)),
        }
    }
}
