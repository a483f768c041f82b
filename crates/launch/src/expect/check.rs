//! Compares the results of a run with the expectations.

use super::super::expr::{Expr, Scope};
use super::super::{Buffer, LaunchError, Value};
use super::elements::{elements, least_precise};
use super::outcome::Outcome;
use super::printed;
use super::report::{self, Heading};
use super::sides::{ComparedElements, Sides, evaluated};
use super::{Expect, Tolerance};
use std::ops::Range;
use tile_analysis::suggest;

/// The results of a run.
pub struct After<'a> {
    /// The arguments after the run, by name without `%`.
    pub args: &'a [(String, Value)],
    /// The printed output.
    pub printed: &'a str,
    /// The codes of the sanitizer's findings.
    pub findings: &'a [String],
}

impl Expect {
    /// Compares the results with the expectation. An error means that the comparison is impossible: the output does not
    /// exist, or a formula has no value. For gradients, use [`GradientCheck::compare`](super::GradientCheck::compare).
    pub fn check(&self, after: &After<'_>, before: &Scope<'_>) -> Result<Outcome, LaunchError> {
        match self {
            Expect::Close { left, right, .. } | Expect::Equal { left, right, .. } => {
                let (heading, sides, tolerance) = self.sides(left, right, after, before)?;
                Ok(report::compared(&sides.compare(heading, tolerance)))
            }
            Expect::Gradient(check) => Err(check.undetermined()),
            Expect::Print { text, .. } => Ok(printed::compared(text, after.printed)),
            Expect::Error { code, .. } => Ok(finding(code, after.findings)),
        }
    }

    /// The elements on both sides, if the expectation compares elements that are known after the run.
    pub fn compared(&self, after: &After<'_>, before: &Scope<'_>) -> Result<Option<ComparedElements>, LaunchError> {
        let (Expect::Close { left, right, .. } | Expect::Equal { left, right, .. }) = self else { return Ok(None) };
        let (_, sides, tolerance) = self.sides(left, right, after, before)?;
        Ok(Some(sides.elements(tolerance)))
    }

    /// Evaluates both sides: a buffer or a slice of it, or a formula of buffers; and the expected formula.
    fn sides(
        &self,
        left: &Expr,
        right: &Expr,
        after: &After<'_>,
        before: &Scope<'_>,
    ) -> Result<(Heading, Sides, Option<Tolerance>), LaunchError> {
        match left.as_argument() {
            Some(name) => self.sides_of_output(name, left, right, after, before),
            None => self.sides_of_formulas(left, right, after, before),
        }
    }

    fn sides_of_output(
        &self,
        name: &str,
        left: &Expr,
        right: &Expr,
        after: &After<'_>,
        before: &Scope<'_>,
    ) -> Result<(Heading, Sides, Option<Tolerance>), LaunchError> {
        let element = self.find_output(name, after)?.element;
        // A buffer can be larger than the intermediate arrays of formulas.
        let got = left.eval(&Scope { args: after.args, files: before.files, max_elements: usize::MAX })?;
        let expected = evaluated(right, before, &got, ["formula", "output"])?;
        let tolerance = self.tolerance(element);
        let measure = tolerance.map_or("exactly".to_string(), |tolerance| tolerance.to_string());
        let heading = Heading::new(left, format!("{element}, {measure}"));
        Ok((heading, Sides::of_output(element, tolerance.is_none(), got, expected), tolerance))
    }

    fn sides_of_formulas(
        &self,
        left: &Expr,
        right: &Expr,
        after: &After<'_>,
        before: &Scope<'_>,
    ) -> Result<(Heading, Sides, Option<Tolerance>), LaunchError> {
        let got = left.eval(&Scope { args: after.args, ..*before })?;
        let element = least_precise(elements(left, after.args)).ok_or_else(|| reads_no_buffer(left))?;
        let expected = evaluated(right, before, &got, ["right side", "left side"])?;
        let tolerance = self.tolerance(element);
        let measure = tolerance.map_or("exactly".to_string(), |tolerance| format!("{element}, {tolerance}"));
        let heading = Heading::new(left, measure);
        Ok((heading, Sides::of_formulas(element, tolerance.is_none(), got, expected), tolerance))
    }

    fn find_output<'a>(&self, name: &str, after: &After<'a>) -> Result<&'a Buffer, LaunchError> {
        match after.args.iter().find(|(known, _)| known == name) {
            Some((_, Value::Buffer(buffer))) => Ok(buffer),
            Some((_, Value::Scalar(_))) => Err(only_number(name, self.range())),
            Some((_, Value::Address)) => {
                let message = format!("`%{name}` is an address, not a buffer");
                Err(LaunchError::new(self.range(), message).help("name the buffer"))
            }
            None => {
                let names: Vec<String> = after.args.iter().map(|(name, _)| format!("%{name}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let error = LaunchError::new(self.range(), format!("this launch has no argument `%{name}`"));
                Err(error.help(suggest::did_you_mean(&format!("%{name}"), &names)))
            }
        }
    }
}

fn only_number(name: &str, range: Range<usize>) -> LaunchError {
    let error = LaunchError::new(range, format!("`%{name}` is a number, which a run cannot change"));
    error.help("name an argument that has a buffer")
}

/// The error for a left side that refers to no buffer.
pub(in super::super) fn reads_no_buffer(left: &Expr) -> LaunchError {
    if let Some(name) = left.as_argument() {
        return only_number(name, left.range());
    }
    let error = LaunchError::new(left.range(), format!("`{left}` refers to no buffer, so a run cannot change it"));
    error.help("the left side is a buffer such as `%c`, or a formula of buffers")
}

fn finding(code: &str, findings: &[String]) -> Outcome {
    let passed = findings.iter().any(|found| found == code);
    let summary = match findings {
        _ if passed => format!("{code} was found"),
        [] => format!("expected {code}, found nothing"),
        _ => format!("expected {code}, found {}", findings.join(", ")),
    };
    Outcome::new(passed, summary)
}
