//! Reports which elements differ.

use super::super::expr::{Data, Expr};
use super::super::shape::{bracketed, unravel};
use super::outcome::{Differences, Outcome};
use tile_analysis::number::shortest;
use tile_dialect::Element;

/// A number in a report. Whole numbers are separate because `f64` cannot represent all of them.
#[derive(Clone, Copy)]
pub(super) enum Shown {
    Real(f64),
    Whole(i64),
}

impl Shown {
    pub(super) fn of(data: &Data, place: usize) -> Shown {
        match data {
            Data::Real(values) => Shown::Real(values.get(place).copied().unwrap_or(f64::NAN)),
            Data::Whole(values) => Shown::Whole(values.get(place).copied().unwrap_or(0)),
        }
    }

    pub(super) fn to_f64(self) -> f64 {
        match self {
            Shown::Real(value) => value,
            Shown::Whole(value) => value as f64,
        }
    }

    fn difference(self, other: Shown) -> f64 {
        match (self, other) {
            (Shown::Whole(a), Shown::Whole(b)) => (i128::from(a) - i128::from(b)).abs() as f64,
            (a, b) => (a.to_f64() - b.to_f64()).abs(),
        }
    }
}

impl Shown {
    /// Formats the number with the fewest digits that distinguish it from other numbers of the element type.
    fn text(self, element: Element) -> String {
        match self {
            Shown::Whole(value) => value.to_string(),
            Shown::Real(value) => shortest::real(element, value),
        }
    }
}

/// The largest of the errors, and its position.
#[derive(Clone, Copy, Default)]
struct Worst {
    error: f64,
    place: Option<usize>,
}

impl Worst {
    fn update(&mut self, error: f64, place: usize) {
        // NaN counts as the largest error, and the first NaN is kept.
        let worse = error > self.error || (error.is_nan() && !self.error.is_nan()) || self.place.is_none();
        if worse && !self.error.is_nan() {
            *self = Worst { error, place: Some(place) };
        }
    }
}

/// How a report names what it compares.
pub(super) struct Heading {
    /// The left side of the expectation.
    pub(super) name: String,
    /// How values are compared: the element type and the tolerance.
    pub(super) measure: String,
    /// The labels of an expected value and of an actual one.
    pub(super) labels: [String; 2],
}

impl Heading {
    pub(super) fn new(left: &Expr, measure: String) -> Heading {
        Heading { name: left.to_string(), measure, labels: ["expected", "got"].map(str::to_string) }
    }
}

/// A comparison of actual values with the expected ones.
pub(super) struct Comparison {
    heading: Heading,
    /// The element type that determines the digits.
    element: Element,
    shape: Vec<usize>,
    has_tolerance: bool,
    count: usize,
    failed: usize,
    first: Option<usize>,
    absolute: Worst,
    relative: Worst,
    /// The different elements at or shortly after the first difference.
    near: Vec<usize>,
    /// The lines around the first difference.
    excerpt: Vec<String>,
}

/// The number of elements shown before and after the first different one.
const NEIGHBORS: usize = 3;

impl Comparison {
    pub(super) fn new(heading: Heading, element: Element, shape: &[usize], has_tolerance: bool) -> Comparison {
        Comparison {
            heading,
            element,
            shape: shape.to_vec(),
            has_tolerance,
            count: 0,
            failed: 0,
            first: None,
            absolute: Worst::default(),
            relative: Worst::default(),
            near: vec![],
            excerpt: vec![],
        }
    }

    /// Records one element.
    pub(super) fn element(&mut self, place: usize, got: Shown, want: Shown, passed: bool) {
        self.count += 1;
        if !passed {
            self.failed += 1;
            let first = *self.first.get_or_insert(place);
            if place <= first + NEIGHBORS {
                self.near.push(place);
            }
        }
        // The difference of two NaNs or two infinities is NaN, although they are equal.
        let finite = got.to_f64().is_finite();
        let error = if passed && !finite { 0.0 } else { got.difference(want) };
        self.absolute.update(error, place);
        self.relative.update(if error == 0.0 { 0.0 } else { error / want.to_f64().abs() }, place);
    }

    /// Formats the elements around the first difference: `-` marks expected values and `+` actual ones; elements
    /// without a mark agree.
    pub(super) fn finish(&mut self, got: &Data, want: &Data) {
        let Some(first) = self.first else { return };
        let places = first.saturating_sub(NEIGHBORS)..(first + NEIGHBORS + 1).min(got.len());
        let [want_label, got_label] = &self.heading.labels;
        let mut rows: Vec<[String; 4]> = Vec::new();
        for place in places {
            let [found, expected] = [got, want].map(|data| Shown::of(data, place));
            let [found_text, expected_text] = [found, expected].map(|shown| shown.text(self.element));
            let row = |sign: &str, value: String, note: String| [sign.to_string(), self.index(place), value, note];
            if self.near.contains(&place) {
                let off = found.difference(expected);
                let off = if off.is_finite() { format!(", off by {}", few(off)) } else { String::new() };
                rows.push(row("-", expected_text, want_label.clone()));
                rows.push(row("+", found_text, format!("{got_label}{off}")));
            } else if found_text == expected_text {
                rows.push(row(" ", found_text, String::new()));
            } else {
                rows.push(row(" ", found_text, format!("close to {expected_text}")));
            }
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (index, value) = (width(1), width(2));
        let line = |[sign, place, number, note]: &[String; 4]| {
            let place = if self.shape.is_empty() { String::new() } else { format!("{place:index$}  ") };
            format!("  {sign} {place}{number:value$}  {note}").trim_end().to_string()
        };
        self.excerpt = rows.iter().map(line).collect();
    }

    /// The first element that differs.
    pub(super) fn first(&self) -> Option<usize> {
        self.first
    }

    pub(super) fn index(&self, place: usize) -> String {
        bracketed(&unravel(place, &self.shape))
    }

    fn worst(&self) -> String {
        if self.shape.is_empty() {
            return format!("absolute error {}, relative error {}", few(self.absolute.error), few(self.relative.error));
        }
        let part = |worst: Worst| match worst.place {
            Some(place) if worst.error != 0.0 => format!("{} at {}", few(worst.error), self.index(place)),
            _ => "0".to_string(),
        };
        format!("largest absolute error {}, largest relative error {}", part(self.absolute), part(self.relative))
    }

    /// The line for values that agree.
    fn agreement(&self) -> String {
        let Comparison { heading: Heading { name, measure, .. }, count, .. } = self;
        let worst = if self.has_tolerance { format!("; {}", self.worst()) } else { String::new() };
        match self.shape[..] {
            [] => format!("{name} agrees ({measure}){worst}"),
            _ => format!("{name}: all {count} elements agree ({measure}){worst}"),
        }
    }

    /// The first line for values that differ.
    fn disagreement(&self) -> String {
        let Comparison { heading: Heading { name, measure, .. }, count, failed, .. } = self;
        if self.shape.is_empty() {
            return format!("{name} differs ({measure})");
        }
        let verb = if *failed == 1 { "differs" } else { "differ" };
        let place = if *failed == 1 { "at" } else { "the first at" };
        let first = self.index(self.first.unwrap_or(0));
        format!("{name}: {failed} of {count} elements {verb}, {place} {first} ({measure})")
    }
}

/// The outcome of a comparison.
pub(super) fn compared(comparison: &Comparison) -> Outcome {
    if comparison.failed == 0 {
        return Outcome::new(true, comparison.agreement());
    }
    let first = unravel(comparison.first.unwrap_or(0), &comparison.shape);
    let mut lines = vec![comparison.disagreement(), format!("  {}", comparison.worst())];
    lines.extend(comparison.excerpt.iter().cloned());
    let differences = Differences {
        elements: comparison.count as u64,
        differ: comparison.failed as u64,
        first: first.iter().map(|&index| index as u64).collect(),
        largest_absolute: comparison.absolute.error,
        largest_relative: comparison.relative.error,
    };
    Outcome { differences: Some(differences), ..Outcome::new(false, lines.join("\n")) }
}

/// Formats an error with three significant digits.
pub(super) fn few(error: f64) -> String {
    let rounded = format!("{error:.2e}").parse().unwrap_or(error);
    if error.is_nan() {
        "NaN".to_string()
    } else if (1e-3..1e6).contains(&rounded) || rounded == 0.0 || rounded.is_infinite() {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}
