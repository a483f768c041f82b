//! Expectations of a run, and the report of whether they were met.

mod check;
mod outcome;
mod parse;
mod printed;
mod report;
mod sides;
mod tolerance;

pub use check::After;
pub(super) use check::reads_no_buffer;
pub use outcome::{Differences, Outcome};
pub(super) use parse::parse;
pub use tolerance::{Tolerance, default_tolerance};

use super::cursor::quote;
use super::expr::Expr;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};
use tile_dialect::Element;

/// An expectation of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Expect {
    /// A formula over the buffers after the run equals one over the arguments before it, within a tolerance.
    Close {
        /// The value after the run: a buffer, a slice of one, or another formula.
        left: Expr,
        /// The expected value.
        right: Expr,
        /// The relative tolerance, if not the element type's.
        rtol: Option<f64>,
        /// The absolute tolerance, if not the element type's.
        atol: Option<f64>,
        /// The whole expectation.
        range: Range<usize>,
    },
    /// The same, but exactly. If the left side is a buffer, the expected value is rounded to its element type.
    Equal {
        /// The value after the run: a buffer, a slice of one, or another formula.
        left: Expr,
        /// The expected value.
        right: Expr,
        /// The whole expectation.
        range: Range<usize>,
    },
    /// The whole printed output.
    Print {
        /// The text.
        text: String,
        /// The whole expectation.
        range: Range<usize>,
    },
    /// A finding of the sanitizer.
    Error {
        /// The diagnostic's code.
        code: String,
        /// The whole expectation.
        range: Range<usize>,
    },
}

impl Expect {
    /// The byte range of the expectation.
    pub fn range(&self) -> Range<usize> {
        match self {
            Expect::Close { range, .. }
            | Expect::Equal { range, .. }
            | Expect::Print { range, .. }
            | Expect::Error { range, .. } => range.clone(),
        }
    }

    /// The two sides of a comparison.
    pub fn sides(&self) -> Option<(&Expr, &Expr)> {
        match self {
            Expect::Close { left, right, .. } | Expect::Equal { left, right, .. } => Some((left, right)),
            Expect::Print { .. } | Expect::Error { .. } => None,
        }
    }

    /// The buffer that is compared, whole or in part; `None` if the left side is another formula.
    pub fn output(&self) -> Option<&str> {
        self.sides().and_then(|(left, _)| left.as_argument())
    }

    /// The tolerance of the comparison; `None` if it is exact, or if nothing is compared.
    pub fn tolerance(&self, element: Element) -> Option<Tolerance> {
        let Expect::Close { rtol, atol, .. } = self else { return None };
        let own = default_tolerance(element);
        Some(Tolerance { rtol: rtol.unwrap_or(own.rtol), atol: atol.unwrap_or(own.atol) })
    }

    /// The arguments that the expectation refers to, without `%`, with the ranges of the references.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.sides().into_iter().flat_map(|(left, right)| left.arguments().chain(right.arguments()))
    }

    /// The files that the formulas read.
    pub fn files(&self) -> Vec<&str> {
        self.sides().into_iter().flat_map(|(left, right)| left.files().chain(right.files())).collect()
    }

    pub(super) fn without_ranges(mut self) -> Expect {
        match &mut self {
            Expect::Close { left, right, range, .. } | Expect::Equal { left, right, range } => {
                [left, right].into_iter().for_each(Expr::forget_ranges);
                *range = 0..0;
            }
            Expect::Print { range, .. } | Expect::Error { range, .. } => *range = 0..0,
        }
        self
    }
}

/// The expectation without the word `expect`.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expect::Close { left, right, rtol, atol, .. } => {
                write!(f, "{left} ~= {right}")?;
                let option = |f: &mut fmt::Formatter<'_>, key: &str, value: &Option<f64>| {
                    value.map_or(Ok(()), |value| write!(f, " {key}={value:?}"))
                };
                option(f, "rtol", rtol)?;
                option(f, "atol", atol)
            }
            Expect::Equal { left, right, .. } => write!(f, "{left} == {right}"),
            Expect::Print { text, .. } => write!(f, "print {}", quote(text)),
            Expect::Error { code, .. } => write!(f, "error {code}"),
        }
    }
}

#[cfg(test)]
mod tests;
