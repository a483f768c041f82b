//! Running totals of elements: extremes, mean, and special values.

use serde::{Deserialize, Serialize};
use std::fmt;
use tile_analysis::number::shortest;
use tile_dialect::Element;

/// A summary of elements.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The least element that is a number.
    pub min: f64,
    /// The largest element that is a number.
    pub max: f64,
    /// The mean of the finite elements.
    pub mean: f64,
    /// The number of NaN elements.
    pub nans: u64,
    /// The number of infinite elements.
    pub infinities: u64,
}

/// The totals of some elements. Totals of disjoint elements can be merged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tally {
    min: f64,
    max: f64,
    /// The sum of the finite elements.
    sum: f64,
    /// The number of finite elements.
    finite: u64,
    nans: u64,
    infinities: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { min: f64::INFINITY, max: f64::NEG_INFINITY, sum: 0.0, finite: 0, nans: 0, infinities: 0 }
    }
}

impl Tally {
    /// Adds an element that occurs `count` times.
    #[inline(always)]
    pub fn add(&mut self, value: f64, count: u64) {
        if value.is_finite() {
            self.finite += count;
            self.sum += value * count as f64;
        } else if value.is_nan() {
            self.nans += count;
            return;
        } else {
            self.infinities += count;
        }
        self.min = if value < self.min { value } else { self.min };
        self.max = if value > self.max { value } else { self.max };
    }

    /// Adds the elements of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.finite += other.finite;
        self.nans += other.nans;
        self.infinities += other.infinities;
    }

    /// Whether no element was added.
    pub fn is_empty(&self) -> bool {
        self.finite + self.nans + self.infinities == 0
    }

    /// The summary of the elements. Minimum and maximum are NaN if all elements are, and the mean is NaN if no element
    /// is finite.
    pub fn summary(&self) -> Summary {
        let Tally { min, max, sum, finite, nans, infinities } = *self;
        let extreme = |value| if finite + infinities == 0 { f64::NAN } else { value };
        Summary { min: extreme(min), max: extreme(max), mean: sum / finite as f64, nans, infinities }
    }

    /// Whether it contains a smaller element than any in `before`.
    pub(crate) fn lowers(&self, before: &Tally) -> bool {
        self.min < before.min
    }

    /// Whether it contains a larger element than any in `before`.
    pub(crate) fn raises(&self, before: &Tally) -> bool {
        self.max > before.max
    }

    /// Whether it contains NaN.
    pub(crate) fn has_nan(&self) -> bool {
        self.nans > 0
    }
}

impl Summary {
    /// Summarizes elements.
    pub fn of(elements: impl Iterator<Item = f64>) -> Summary {
        let mut tally = Tally::default();
        elements.for_each(|element| tally.add(element, 1));
        tally.summary()
    }

    /// Whether all elements are equal.
    pub fn is_uniform(&self) -> bool {
        self.min == self.max && self.nans == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { min, max, mean, nans, infinities } = *self;
        let short = |value: f64| shortest::real(Element::F32, f64::from(value as f32));
        if self.is_uniform() {
            return write!(f, "all {}", short(min));
        }
        write!(f, "min {}, max {}, mean {}", short(min), short(max), short(mean))?;
        if nans > 0 {
            write!(f, ", {nans} NaN")?;
        }
        if infinities > 0 {
            write!(f, ", {infinities} infinite")?;
        }
        Ok(())
    }
}
