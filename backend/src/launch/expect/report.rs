//! Saying what differs.

use super::super::expr::Data;
use super::super::shape::unravel;
use super::super::spec::bracketed;
use super::{Outcome, Tolerance};
use crate::shortest;
use tile_dialect::Element;

/// A number as it is shown: whole ones with all digits.
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
    /// The number in as few digits as tell it from others of the element type.
    fn text(self, element: Element) -> String {
        match self {
            Shown::Whole(value) => value.to_string(),
            Shown::Real(value) => shortest::real(element, value),
        }
    }
}

/// The largest of some errors, and where.
#[derive(Clone, Copy, Default)]
struct Worst {
    error: f64,
    place: Option<usize>,
}

impl Worst {
    fn see(&mut self, error: f64, place: usize) {
        // An error that is NaN (a number against NaN) is worse than any number, and the first such stays.
        let worse = error > self.error || (error.is_nan() && !self.error.is_nan()) || self.place.is_none();
        if worse && !self.error.is_nan() {
            *self = Worst { error, place: Some(place) };
        }
    }
}

/// A comparison of an output with what was expected.
pub(super) struct Comparison {
    name: String,
    element: Element,
    shape: Vec<usize>,
    tolerance: Option<Tolerance>,
    count: usize,
    failed: usize,
    first: Option<usize>,
    absolute: Worst,
    relative: Worst,
    /// Lines around the first difference.
    excerpt: Vec<String>,
}

/// Elements shown before and after the first that differs.
const NEIGHBOURS: usize = 3;

impl Comparison {
    pub(super) fn new(name: &str, element: Element, shape: &[usize], tolerance: Option<Tolerance>) -> Comparison {
        Comparison {
            name: name.to_string(),
            element,
            shape: shape.to_vec(),
            tolerance,
            count: 0,
            failed: 0,
            first: None,
            absolute: Worst::default(),
            relative: Worst::default(),
            excerpt: vec![],
        }
    }

    /// Notes one element.
    pub(super) fn element(&mut self, place: usize, got: Shown, want: Shown, passed: bool) {
        self.count += 1;
        if !passed {
            self.failed += 1;
            self.first.get_or_insert(place);
        }
        // The difference of two NaN or two infinities is NaN, although they agree.
        let finite = got.to_f64().is_finite();
        let error = if passed && !finite { 0.0 } else { got.difference(want) };
        self.absolute.see(error, place);
        self.relative.see(if error == 0.0 { 0.0 } else { error / want.to_f64().abs() }, place);
    }

    /// Writes down the neighbourhood of the first difference.
    pub(super) fn finish(&mut self, got: &Data, want: &Data) {
        let Some(first) = self.first else { return };
        let places = first.saturating_sub(NEIGHBOURS)..(first + NEIGHBOURS + 1).min(got.len());
        let rows: Vec<[String; 3]> = places
            .clone()
            .map(|place| {
                let text = |data| Shown::of(data, place).text(self.element);
                [self.index(place), text(got), text(want)]
            })
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (index, got) = (width(0), width(1));
        self.excerpt = places
            .zip(&rows)
            .map(|(place, row)| {
                let sign = if place == first { '>' } else { ' ' };
                format!("  {sign} {:index$}  got {:got$}  expected {}", row[0], row[1], row[2])
            })
            .collect();
    }

    fn index(&self, place: usize) -> String {
        bracketed(&unravel(place, &self.shape))
    }

    fn worst(&self) -> String {
        let part = |worst: Worst| match worst.place {
            Some(place) if worst.error != 0.0 => format!("{:.3e} at {}", worst.error, self.index(place)),
            _ => "0".to_string(),
        };
        format!("largest absolute error {}, relative {}", part(self.absolute), part(self.relative))
    }

    fn measure(&self) -> String {
        match self.tolerance {
            Some(tolerance) => format!("{}, {tolerance}", self.element),
            None => format!("{}, exactly", self.element),
        }
    }
}

/// The outcome of a comparison.
pub(super) fn compared(comparison: &Comparison) -> Outcome {
    let Comparison { name, count, failed, .. } = comparison;
    let measure = comparison.measure();
    if *failed == 0 {
        let worst = if comparison.tolerance.is_some() { format!("; {}", comparison.worst()) } else { String::new() };
        return Outcome { passed: true, summary: format!("%{name}: all {count} elements agree ({measure}){worst}") };
    }
    let verb = if *failed == 1 { "differs" } else { "differ" };
    let mut lines = vec![format!("%{name}: {failed} of {count} elements {verb} ({measure}); {}", comparison.worst())];
    lines.extend(comparison.excerpt.iter().cloned());
    Outcome { passed: false, summary: lines.join("\n") }
}

/// Compares what was printed, line by line for the report.
pub(super) fn printed(want: &str, got: &str) -> Outcome {
    if want == got {
        return Outcome { passed: true, summary: "the printed text agrees".to_string() };
    }
    let (mut wanted, mut found) = (want.split_inclusive('\n'), got.split_inclusive('\n'));
    let mut line = 1;
    let (want, got) = loop {
        match (wanted.next(), found.next()) {
            (Some(want), Some(got)) if want == got => line += 1,
            pair => break pair,
        }
    };
    let show = |text: Option<&str>| text.map_or("nothing more".to_string(), shortened);
    let lines = [
        format!("the printed text differs in line {line}"),
        format!("  got      {}", show(got)),
        format!("  expected {}", show(want)),
    ];
    Outcome { passed: false, summary: lines.join("\n") }
}

/// A line in quotes, cut if it is very long.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 200;
    let quoted = super::quote(line);
    match quoted.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &quoted[..end]),
        None => quoted,
    }
}
