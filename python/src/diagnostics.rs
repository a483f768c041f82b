//! Diagnostics and findings as JSON, which the package converts to its own classes, and as text.

use crate::place::Place;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::Range;
use tile_analysis::diagnostic::{Diagnostic, Label, Page, Severity};
use tile_analysis::ir::OpId;
use tile_analysis::lines::Lines;
use tile_analysis::render::{Source, full, json_diagnostic};
use tile_engine::findings::Finding;

/// A diagnostic in the format of `tile check --output-format json`, with the name of its page and its rendered text.
pub(crate) fn diagnostic(path: &str, text: &str, lines: &Lines, found: &Diagnostic) -> Value {
    let source = Source { name: path, text, lines };
    let mut value = serde_json::to_value(json_diagnostic(&source, found)).unwrap_or_default();
    value["name"] = found.page.name.into();
    value["rendered"] = rendered(&source, found).into();
    value
}

fn rendered(source: &Source<'_>, found: &Diagnostic) -> String {
    let mut out = codespan_reporting::term::termcolor::NoColor::new(Vec::new());
    // A vector accepts everything.
    let _ = full(&mut out, source, found);
    String::from_utf8_lossy(&out.into_inner()).trim_end().to_string()
}

/// A finding: its page, message and notes, and where it and the related ops are.
pub(crate) fn finding(found: &Finding, message: &str, place: &dyn Fn(Option<OpId>) -> Place) -> Value {
    let others = found.others.iter().map(|(op, message)| json!({"message": message, "place": place(Some(*op)).json()}));
    json!({
        "code": found.page.code,
        "name": found.page.name,
        "message": message,
        "block": found.block,
        "notes": found.notes,
        "place": place(found.op).json(),
        "others": others.collect::<Vec<_>>(),
    })
}

/// Renders a message at a line and column of a text, as `tile check` does. `labels` are further messages, each at a
/// line and column.
#[pyfunction]
#[pyo3(signature = (code, message, path, text, position, labels, notes))]
pub(crate) fn render(
    code: &str,
    message: String,
    path: &str,
    text: &str,
    position: (u32, u32),
    labels: Vec<((u32, u32), String)>,
    notes: Vec<String>,
) -> Option<String> {
    let page: &'static Page = tile_backend::all_pages().find(|page| page.code == code)?;
    let lines = Lines::new(text);
    let range = |(row, column)| name_at(text, &lines, row, column);
    let labels = labels.into_iter().filter_map(|(at, message)| Some(Label { range: range(at)?, message })).collect();
    let found = Diagnostic {
        page,
        severity: Severity::Error,
        message,
        range: range(position)?,
        label: String::new(),
        labels,
        notes,
        fixes: Vec::new(),
        error_since: None,
        tag: None,
        only_for: None,
    };
    Some(rendered(&Source { name: path, text, lines: &lines }, &found))
}

/// The range of the name at a row and column, which count from 1, with the names after dots; of one character if there
/// is no name.
fn name_at(text: &str, lines: &Lines, row: u32, column: u32) -> Option<Range<u32>> {
    let line = lines.range((row as usize).checked_sub(1).filter(|&line| line < lines.count())?, text);
    let start = line.start + text[line.clone()].char_indices().nth((column as usize).checked_sub(1)?)?.0;
    let rest = &text[start..line.end];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let length = if end > 0 { end } else { rest.chars().next().map_or(0, char::len_utf8) };
    Some(start as u32..(start + length) as u32)
}
