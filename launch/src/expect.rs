//! Expectations of a run, and the report of whether they were met.

mod check;
mod outcome;
mod parse;
mod printed;
mod report;
mod tolerance;

pub use check::After;
pub use outcome::{Differences, Outcome};
pub(super) use parse::parse;
pub use tolerance::{Tolerance, default_tolerance};

use super::cursor::quote;
use super::expr::{Expr, Slice};
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};
use tile_dialect::Element;

/// An expectation of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Expect {
    /// An output equals a formula within a tolerance.
    Close {
        /// The output's name, without `%`.
        output: String,
        /// The compared part, if not all.
        part: Option<Slice>,
        /// The expected value.
        expr: Expr,
        /// The relative tolerance, if not the element type's.
        rtol: Option<f64>,
        /// The absolute tolerance, if not the element type's.
        atol: Option<f64>,
        /// The whole expectation.
        range: Range<usize>,
    },
    /// An output equals a formula, rounded to the element type, exactly.
    Equal {
        /// The output's name, without `%`.
        output: String,
        /// The compared part, if not all.
        part: Option<Slice>,
        /// The expected value.
        expr: Expr,
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

    /// The compared output, if any.
    pub fn output(&self) -> Option<&str> {
        match self {
            Expect::Close { output, .. } | Expect::Equal { output, .. } => Some(output),
            Expect::Print { .. } | Expect::Error { .. } => None,
        }
    }

    /// The tolerance of the comparison; `None` if it is exact, or if nothing is compared.
    pub fn tolerance(&self, element: Element) -> Option<Tolerance> {
        let Expect::Close { rtol, atol, .. } = self else { return None };
        let own = default_tolerance(element);
        Some(Tolerance { rtol: rtol.unwrap_or(own.rtol), atol: atol.unwrap_or(own.atol) })
    }

    /// The arguments that the expectation refers to, without `%`, with the ranges of the references; for the output,
    /// the range of the whole expectation.
    pub fn arguments(&self) -> Vec<(&str, Range<usize>)> {
        match self {
            Expect::Close { output, expr, range, .. } | Expect::Equal { output, expr, range, .. } => {
                std::iter::once((output.as_str(), range.clone())).chain(expr.arguments()).collect()
            }
            Expect::Print { .. } | Expect::Error { .. } => vec![],
        }
    }

    /// The files that the formula reads.
    pub fn files(&self) -> Vec<&str> {
        match self {
            Expect::Close { expr, .. } | Expect::Equal { expr, .. } => expr.files().collect(),
            Expect::Print { .. } | Expect::Error { .. } => vec![],
        }
    }

    pub(super) fn without_ranges(mut self) -> Expect {
        match &mut self {
            Expect::Close { expr, range, .. } | Expect::Equal { expr, range, .. } => {
                *expr = expr.clone().without_ranges();
                *range = 0..0;
            }
            Expect::Print { range, .. } | Expect::Error { range, .. } => *range = 0..0,
        }
        self
    }
}

fn shown(part: &Option<Slice>) -> &str {
    part.as_ref().map_or("", Slice::text)
}

/// The expectation without the word `expect`.
impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expect::Close { output, part, expr, rtol, atol, .. } => {
                write!(f, "%{output}{} ~= {expr}", shown(part))?;
                let option = |f: &mut fmt::Formatter<'_>, key: &str, value: &Option<f64>| {
                    value.map_or(Ok(()), |value| write!(f, " {key}={value:?}"))
                };
                option(f, "rtol", rtol)?;
                option(f, "atol", atol)
            }
            Expect::Equal { output, part, expr, .. } => write!(f, "%{output}{} == {expr}", shown(part)),
            Expect::Print { text, .. } => write!(f, "print {}", quote(text)),
            Expect::Error { code, .. } => write!(f, "error {code}"),
        }
    }
}

#[cfg(test)]
mod tests;
