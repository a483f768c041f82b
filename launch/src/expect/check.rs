//! Compares the results of a run with the expectations.

use super::super::expr::{Array, Data, Expr, Scope, Slice};
use super::super::shape::{bracketed, broadcast, broadcast_strides};
use super::super::{Buffer, LaunchError, Value};
use super::outcome::Outcome;
use super::printed;
use super::report::{self, Comparison};
use super::{Expect, Tolerance};
use tile_analysis::suggest;
use tile_dialect::Element;

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
    /// exist, or the formula has no value.
    pub fn check(&self, after: &After<'_>, before: &Scope<'_>) -> Result<Outcome, LaunchError> {
        match self {
            Expect::Close { output, part, expr, .. } | Expect::Equal { output, part, expr, .. } => {
                self.check_output(output, part.as_ref(), expr, after, before)
            }
            Expect::Print { text, .. } => Ok(printed::compared(text, after.printed)),
            Expect::Error { code, .. } => Ok(finding(code, after.findings)),
        }
    }

    fn check_output(
        &self,
        name: &str,
        part: Option<&Slice>,
        expr: &Expr,
        after: &After<'_>,
        before: &Scope<'_>,
    ) -> Result<Outcome, LaunchError> {
        let output = self.find_output(name, after)?;
        let damaged = || LaunchError::new(self.range(), format!("the memory of `%{name}` is shorter than its shape"));
        let got = Array::of_buffer(output).ok_or_else(damaged)?;
        let got = match part {
            Some(part) => part.of(got).map_err(|why| LaunchError::new(self.range(), why))?,
            None => got,
        };
        let name = &format!("{name}{}", part.map_or("", Slice::text));
        let expected = expr.eval(before)?;
        let expected =
            broadcast_to_output(expected, &got).map_err(|message| LaunchError::new(expr.range(), message))?;
        let comparison = compare(name, output.element, &got, expected, self.tolerance(output.element));
        Ok(report::compared(&comparison))
    }

    fn find_output<'a>(&self, name: &str, after: &After<'a>) -> Result<&'a Buffer, LaunchError> {
        match after.args.iter().find(|(known, _)| known == name) {
            Some((_, Value::Buffer(buffer))) => Ok(buffer),
            Some((_, Value::Scalar(_))) => {
                let message = format!("`%{name}` is a number, which a run cannot change");
                Err(LaunchError::new(self.range(), message).help("name an argument that has a buffer"))
            }
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

fn finding(code: &str, findings: &[String]) -> Outcome {
    let passed = findings.iter().any(|found| found == code);
    let summary = match findings {
        _ if passed => format!("{code} was found"),
        [] => format!("expected {code}, found nothing"),
        _ => format!("expected {code}, found {}", findings.join(", ")),
    };
    Outcome::new(passed, summary)
}

/// Broadcasts the expected values to the shape of the output.
fn broadcast_to_output(expected: Array, got: &Array) -> Result<Array, String> {
    if expected.shape() == got.shape() {
        return Ok(expected);
    }
    if broadcast(expected.shape(), got.shape()).as_deref() != Some(got.shape()) {
        let (expected, got) = (bracketed(expected.shape()), bracketed(got.shape()));
        return Err(format!("the formula has shape {expected}, but the output has shape {got}"));
    }
    let strides = broadcast_strides(expected.shape(), got.shape());
    Ok(expected.view(0, got.shape().to_vec(), &strides))
}

/// Compares element by element; without a tolerance, values must be equal.
fn compare(name: &str, element: Element, got: &Array, expected: Array, tolerance: Option<Tolerance>) -> Comparison {
    let rounded = expected.data().clone().round_to(element);
    let exact = same(got.data(), &rounded);
    // Wrapped integers are compared as stored; with a tolerance, the formula's result is compared.
    let shown = if tolerance.is_some() && element.is_float() { expected.into_data() } else { rounded };
    let mut comparison = Comparison::new(name, element, got.shape(), tolerance);
    for (place, exact) in exact.into_iter().enumerate() {
        let (got, want) = (report::Shown::of(got.data(), place), report::Shown::of(&shown, place));
        let passed = exact || tolerance.is_some_and(|tolerance| close(got.to_f64(), want.to_f64(), tolerance));
        comparison.element(place, got, want, passed);
    }
    comparison.finish(got.data(), &shown);
    comparison
}

/// Whether two arrays are equal, except for the sign of zero and the kind of NaN.
fn same(got: &Data, want: &Data) -> Vec<bool> {
    match (got, want) {
        (Data::Whole(got), Data::Whole(want)) => got.iter().zip(want).map(|(got, want)| got == want).collect(),
        (Data::Real(got), Data::Real(want)) => {
            got.iter().zip(want).map(|(got, want)| got == want || (got.is_nan() && want.is_nan())).collect()
        }
        _ => vec![false; got.len()],
    }
}

fn close(got: f64, want: f64, tolerance: Tolerance) -> bool {
    // Equal infinities have passed already; a tolerance relative to infinity would accept everything.
    want.is_finite() && (got - want).abs() <= tolerance.atol + tolerance.rtol * want.abs()
}
