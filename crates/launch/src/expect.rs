//! Expectations of a run, and the report of whether they were met.

mod check;
mod compare_gradient;
mod elements;
mod findings;
mod gradient_check;
mod outcome;
mod parse;
mod printed;
mod report;
mod sides;
mod tolerance;

pub use check::After;
pub(super) use check::reads_no_buffer;
pub use compare_gradient::Derivatives;
pub(super) use elements::least_precise_in;
pub use findings::FINDINGS;
pub use gradient_check::GradientCheck;
pub use outcome::{Differences, Outcome};
pub(super) use parse::parse;
pub use sides::ComparedElements;
use tolerance::write_tolerance;
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
    /// A gradient by finite differences equals a formula over the buffers after the run, within a tolerance.
    Gradient(GradientCheck),
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
            | Expect::Gradient(GradientCheck { range, .. })
            | Expect::Print { range, .. }
            | Expect::Error { range, .. } => range.clone(),
        }
    }

    /// Whether it compares elements that are known after the run.
    pub fn compares_elements(&self) -> bool {
        matches!(self, Expect::Close { .. } | Expect::Equal { .. })
    }

    /// The gradient that the expectation compares, if any.
    pub fn gradient(&self) -> Option<&GradientCheck> {
        if let Expect::Gradient(check) = self { Some(check) } else { None }
    }

    /// The formula of the buffers after the run.
    pub(super) fn after_run(&self) -> Option<&Expr> {
        match self {
            Expect::Close { left, .. } | Expect::Equal { left, .. } => Some(left),
            Expect::Gradient(check) => Some(&check.other),
            Expect::Print { .. } | Expect::Error { .. } => None,
        }
    }

    /// The formula of the arguments before the run.
    fn before_run(&self) -> Option<&Expr> {
        match self {
            Expect::Close { right, .. } | Expect::Equal { right, .. } => Some(right),
            Expect::Gradient(_) | Expect::Print { .. } | Expect::Error { .. } => None,
        }
    }

    /// The formulas, from left to right.
    fn formulas(&self) -> impl Iterator<Item = &Expr> {
        self.after_run().into_iter().chain(self.before_run())
    }

    /// The buffer that is compared, whole or in part; `None` if the left side is another formula.
    pub fn output(&self) -> Option<&str> {
        match self {
            Expect::Close { left, .. } | Expect::Equal { left, .. } => left.as_argument(),
            Expect::Gradient(_) | Expect::Print { .. } | Expect::Error { .. } => None,
        }
    }

    /// The tolerance of the comparison of an output; `None` if it is exact, or if no output is compared.
    pub fn tolerance(&self, element: Element) -> Option<Tolerance> {
        let Expect::Close { rtol, atol, .. } = self else { return None };
        let own = default_tolerance(element);
        Some(Tolerance { rtol: rtol.unwrap_or(own.rtol), atol: atol.unwrap_or(own.atol) })
    }

    /// The arguments that the formulas refer to, without `%`, with the ranges of the references.
    pub fn arguments(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.formulas().flat_map(Expr::arguments)
    }

    /// The files that the formulas read.
    pub fn files(&self) -> Vec<&str> {
        self.formulas().flat_map(Expr::files).collect()
    }

    pub(super) fn without_ranges(mut self) -> Expect {
        match &mut self {
            Expect::Close { left, right, range, .. } | Expect::Equal { left, right, range } => {
                [left, right].into_iter().for_each(Expr::forget_ranges);
                *range = 0..0;
            }
            Expect::Gradient(GradientCheck { gradient, other, range, .. }) => {
                gradient.forget_ranges();
                other.forget_ranges();
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
                write_tolerance(f, *rtol, *atol)
            }
            Expect::Gradient(check) => check.fmt(f),
            Expect::Equal { left, right, .. } => write!(f, "{left} == {right}"),
            Expect::Print { text, .. } => write!(f, "print {}", quote(text)),
            Expect::Error { code, .. } => write!(f, "error {code}"),
        }
    }
}

#[cfg(test)]
mod tests;
