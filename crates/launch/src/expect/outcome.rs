//! The result of checking an expectation.

use serde::{Deserialize, Serialize};

/// The result of checking an expectation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether the expectation was met.
    pub passed: bool,
    /// One line if it was met, several with the differences if not; without a trailing line break.
    pub summary: String,
    /// The differences of a compared output, if there are any.
    pub differences: Option<Differences>,
}

/// The differences between an output and the expectation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Differences {
    /// The number of compared elements.
    pub elements: u64,
    /// The number of elements that differ.
    pub differ: u64,
    /// The index of the first one.
    pub first: Vec<u64>,
    /// The largest absolute error of all elements; NaN if only one of the two values is NaN.
    pub largest_absolute: f64,
    /// The largest relative error of all elements; NaN if only one of the two values is NaN.
    pub largest_relative: f64,
}

impl Outcome {
    pub(super) fn new(passed: bool, summary: impl Into<String>) -> Outcome {
        Outcome { passed, summary: summary.into(), differences: None }
    }
}
