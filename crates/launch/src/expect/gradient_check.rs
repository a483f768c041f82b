//! The expectation about a gradient.

use super::tolerance::write_tolerance;
use crate::error::LaunchError;
use crate::expr::Expr;
use crate::gradient::Gradient;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};

/// The expectation that a gradient by finite differences equals a formula over the buffers after the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GradientCheck {
    /// The gradient.
    pub gradient: Gradient,
    /// The other side.
    pub other: Expr,
    /// Whether the gradient is the left side.
    pub is_left: bool,
    /// The relative tolerance, if not the default.
    pub rtol: Option<f64>,
    /// The absolute tolerance, if not the default.
    pub atol: Option<f64>,
    /// The whole expectation.
    pub range: Range<usize>,
}

impl GradientCheck {
    /// The error if the gradient has not been determined.
    pub(super) fn undetermined(&self) -> LaunchError {
        LaunchError::new(self.gradient.range.clone(), format!("`{}` has not been determined", self.gradient))
    }
}

/// The expectation without the word `expect`.
impl fmt::Display for GradientCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GradientCheck { gradient, other, is_left, rtol, atol, .. } = self;
        match is_left {
            true => write!(f, "{gradient} ~= {other}")?,
            false => write!(f, "{other} ~= {gradient}")?,
        }
        write_tolerance(f, *rtol, *atol)
    }
}
