//! Diagnostics as JSON for other programs. The format is stable: fields may be added but never changed.

use super::Source;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lines::Position;
use serde::Serialize;
use std::ops::Range;

/// A diagnostic in JSON. Rows and columns count from 1, columns in Unicode characters.
#[derive(Serialize, Debug)]
pub struct JsonDiagnostic<'a> {
    filename: &'a str,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    location: JsonPosition,
    end_location: JsonPosition,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    fixes: Vec<JsonFix<'a>>,
}

#[derive(Serialize, Debug)]
struct JsonPosition {
    row: u32,
    column: u32,
}

#[derive(Serialize, Debug)]
struct JsonLabel<'a> {
    message: &'a str,
    location: JsonPosition,
    end_location: JsonPosition,
}

#[derive(Serialize, Debug)]
struct JsonFix<'a> {
    title: &'a str,
    applicability: &'static str,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize, Debug)]
struct JsonEdit<'a> {
    location: JsonPosition,
    end_location: JsonPosition,
    content: &'a str,
}

impl From<Position> for JsonPosition {
    fn from(place: Position) -> JsonPosition {
        JsonPosition { row: place.row, column: place.column }
    }
}

/// Converts a diagnostic to its JSON form.
pub fn json_diagnostic<'a>(source: &Source<'a>, found: &'a Diagnostic) -> JsonDiagnostic<'a> {
    let places = |range: &Range<u32>| {
        let place = |offset| source.lines.place(offset, source.text).into();
        (place(range.start), place(range.end))
    };
    let (location, end_location) = places(&found.range);
    let labels = found.labels.iter().map(|label| {
        let (location, end_location) = places(&label.range);
        JsonLabel { message: &label.message, location, end_location }
    });
    let own = (!found.label.is_empty()).then(|| {
        let (location, end_location) = places(&found.range);
        JsonLabel { message: &found.label, location, end_location }
    });
    let fixes = found.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|edit| {
            let (location, end_location) = places(&edit.range);
            JsonEdit { location, end_location, content: &edit.content }
        });
        JsonFix { title: &fix.title, applicability: fix.applicability.name(), edits: edits.collect() }
    });
    JsonDiagnostic {
        filename: source.name,
        code: found.page.code,
        severity: Severity::name(found.severity),
        message: &found.message,
        location,
        end_location,
        labels: own.into_iter().chain(labels).collect(),
        notes: &found.notes,
        fixes: fixes.collect(),
    }
}
