//! Compares a gradient by finite differences with a formula.

use super::elements::{element, elements, least_precise};
use super::gradient_check::GradientCheck;
use super::outcome::Outcome;
use super::report::{self, Heading};
use super::sides::{Sides, evaluated};
use super::tolerance::{Tolerance, gradient_tolerance};
use crate::buffer::Value;
use crate::error::LaunchError;
use crate::expr::{Array, Data, Scope};
use tile_dialect::Element;

/// The maximum length of a formula that labels its values in a report.
const MAX_LABEL: usize = 30;

/// A gradient that was determined by finite differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Derivatives {
    /// The extents of the buffer that is differentiated by.
    pub shape: Vec<usize>,
    /// The derivative by each element, in row-major order.
    pub values: Vec<f64>,
    /// An estimate of the absolute error of each derivative.
    pub errors: Vec<f64>,
}

impl GradientCheck {
    /// The tolerance. `args` are the arguments of the launch, by name without `%`.
    pub fn tolerance(&self, args: &[(String, Value)]) -> Tolerance {
        let default = gradient_tolerance(self.element(args));
        Tolerance { rtol: self.rtol.unwrap_or(default.rtol), atol: self.atol.unwrap_or(default.atol) }
    }

    /// The least precise float type of the buffers on both sides.
    fn element(&self, args: &[(String, Value)]) -> Element {
        let operands = self.gradient.operands().filter_map(|operand| element(&operand.name, args));
        let floats = operands.chain(elements(&self.other, args)).filter(|element| element.is_float());
        least_precise(floats).unwrap_or(Element::F64)
    }

    /// Compares the derivatives with the other side, whose arguments are those of `after`, after the run. An error
    /// means that the other side has no value, or another shape.
    pub fn compare(&self, derivatives: Derivatives, after: &Scope<'_>) -> Result<Outcome, LaunchError> {
        let Derivatives { shape, values, errors } = derivatives;
        let values = Array::new(shape, Data::Real(values)).ok_or_else(|| self.undetermined())?;
        let other = evaluated(&self.other, after, &values, ["formula", "gradient"])?;
        let magnitudes = other.data().clone().into_real();
        let (got, want) = if self.is_left { (values, other) } else { (other, values) };
        let (element, tolerance) = (self.element(after.args), self.tolerance(after.args));
        let heading = self.heading(format!("{element}, {tolerance}"));
        let comparison = Sides::of_approximations(element, got, want).compare(heading, Some(tolerance));
        let mut outcome = report::compared(&comparison);
        let allowed = |place: usize| tolerance.atol + tolerance.rtol * magnitudes[place].abs();
        let is_uncertain = |place: &usize| errors.get(*place).is_some_and(|error| *error > allowed(*place));
        if let Some(place) = comparison.first().filter(is_uncertain) {
            let (error, index) = (report::few(errors[place]), comparison.index(place));
            let note = format!("finite differences are uncertain by {error} at {index}, more than the tolerance");
            outcome.summary += &format!("\n  {note}");
        }
        Ok(outcome)
    }

    /// The heading of a report, which labels the values by their sides.
    fn heading(&self, measure: String) -> Heading {
        let other = self.other.to_string();
        let name = if self.is_left { self.gradient.to_string() } else { other.clone() };
        let other = match other.len() {
            0..=MAX_LABEL => other,
            _ => if self.is_left { "expected" } else { "got" }.to_string(),
        };
        let differences = "finite differences".to_string();
        Heading { name, measure, labels: if self.is_left { [other, differences] } else { [differences, other] } }
    }
}
