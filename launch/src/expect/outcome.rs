//! Whether an expectation was met.

use serde::{Deserialize, Serialize};

/// Whether an expectation was met.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it was met.
    pub passed: bool,
    /// One line if it was, several with the differences if it was not; without a line break at the end.
    pub summary: String,
    /// How far an output that was compared is off, if it is.
    pub differences: Option<Differences>,
}

/// How far an output is from what was expected.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Differences {
    /// How many elements were compared.
    pub elements: u64,
    /// How many of them differ.
    pub differ: u64,
    /// Which one is the first.
    pub first: Vec<u64>,
    /// The largest absolute error of all elements; NaN where a number meets NaN.
    pub largest_absolute: f64,
    /// The largest relative error of all elements; NaN where a number meets NaN.
    pub largest_relative: f64,
}

impl Outcome {
    pub(super) fn new(passed: bool, summary: impl Into<String>) -> Outcome {
        Outcome { passed, summary: summary.into(), differences: None }
    }
}
