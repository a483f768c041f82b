//! Gradients on a side of an expectation, which a run approximates by finite differences of its forward kernel.
//!
//! ```text
//! grad(%loss, %x)         the derivative of `%loss`, which has one element, by each element of `%x`
//! grad(%y, %x, %dy)       the derivative of `sum(%y * %dy)`: a vector-Jacobian product
//! ```
//!
//! This module only describes the gradient: the caller runs the forward kernel.

use super::cursor::{Cursor, Parsed};
use super::error::LaunchError;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Range};
use tile_dialect::Element;

/// The name of the function.
pub(super) const GRAD: &str = "grad";

/// The maximum number of elements of the buffer by which a gradient differentiates. Each needs several runs.
pub const MAX_ELEMENTS: u64 = 4096;

/// A gradient.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gradient {
    /// The buffer that is differentiated, `%loss` or `%y`.
    pub of: Operand,
    /// The buffer by whose elements it is differentiated, `%x`.
    pub by: Operand,
    /// The weight of each element of `%y`, `%dy`; `None` if there is only one element.
    pub weights: Option<Operand>,
    /// From the function's name to the closing parenthesis.
    pub range: Range<usize>,
}

/// An operand of a gradient.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Operand {
    /// The argument's name, without `%`.
    pub name: String,
    /// Its range, with `%`.
    pub range: Range<usize>,
}

impl Gradient {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        [&self.of, &self.by].into_iter().chain(&self.weights)
    }

    pub(super) fn forget_ranges(&mut self) {
        self.range = 0..0;
        let weights = self.weights.iter_mut();
        [&mut self.of, &mut self.by].into_iter().chain(weights).for_each(|operand| operand.range = 0..0);
    }
}

impl fmt::Display for Gradient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.operands().map(|operand| format!("%{}", operand.name)).collect();
        write!(f, "{GRAD}({})", names.join(", "))
    }
}

/// Whether a gradient comes next.
pub(super) fn is_next(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    ahead.eat_word(GRAD) && ahead.peek() == Some('(')
}

/// Parses a gradient.
pub(super) fn parse(cursor: &mut Cursor<'_>, names: &[String]) -> Parsed<Gradient> {
    let start = cursor.start();
    cursor.word();
    operands(cursor, names, start)
        .map_err(|error| error.help("write `grad(%loss, %x)` or `grad(%y, %x, %dy)`, with names of buffers"))
}

fn operands(cursor: &mut Cursor<'_>, names: &[String], start: usize) -> Parsed<Gradient> {
    cursor.expect("(")?;
    let of = operand(cursor, names)?;
    cursor.expect(",")?;
    let by = operand(cursor, names)?;
    let weights = if cursor.eat(",") { Some(operand(cursor, names)?) } else { None };
    cursor.expect(")")?;
    Ok(Gradient { of, by, weights, range: start..cursor.position() })
}

fn operand(cursor: &mut Cursor<'_>, names: &[String]) -> Parsed<Operand> {
    let (name, range) = cursor.value_in_formula(names)?;
    Ok(Operand { name: name.to_string(), range })
}

/// The error for a gradient that is only a part of a side. `range` is the rest of the side, or the gradient.
pub(super) fn not_alone(range: Range<usize>) -> LaunchError {
    let error = LaunchError::new(range, "`grad` must be a whole side of an expectation");
    error.help("write `expect grad(%loss, %x) ~= …`, and the rest of the formula on the other side")
}

/// The distance of 1 to the next larger number of an element type; `None` if finite differences do not support the
/// type: integers, and floats of 8 or fewer bits, which have too few values.
pub fn spacing(element: Element) -> Option<f64> {
    let bits = match element {
        Element::F64 => 52,
        Element::F32 => 23,
        Element::TF32 | Element::F16 => 10,
        Element::BF16 => 7,
        _ => return None,
    };
    Some(1.0 / (1u64 << bits) as f64)
}
