//! The element types of the buffers that an expectation refers to.

use super::tolerance::{Tolerance, default_tolerance};
use crate::buffer::Value;
use crate::expr::Expr;
use std::cmp::Ordering;
use tile_dialect::Element;

/// The element types of the buffers that a formula refers to.
pub(super) fn elements(formula: &Expr, args: &[(String, Value)]) -> impl Iterator<Item = Element> {
    formula.arguments().filter_map(|(name, _)| element(name, args))
}

/// The element type of an argument, if it is a buffer.
pub(super) fn element(name: &str, args: &[(String, Value)]) -> Option<Element> {
    match args.iter().find(|(known, _)| known == name) {
        Some((_, Value::Buffer(buffer))) => Some(buffer.element),
        _ => None,
    }
}

/// The least precise element type of the buffers that a formula refers to.
pub(crate) fn least_precise_in(formula: &Expr, args: &[(String, Value)]) -> Option<Element> {
    least_precise(elements(formula, args))
}

/// The least precise of several element types: the one with the largest default tolerance.
pub(super) fn least_precise(elements: impl Iterator<Item = Element>) -> Option<Element> {
    let tolerance = |element: &Element| {
        let Tolerance { rtol, atol } = default_tolerance(*element);
        [rtol, atol]
    };
    elements.max_by(|a, b| tolerance(a).partial_cmp(&tolerance(b)).unwrap_or(Ordering::Equal))
}
