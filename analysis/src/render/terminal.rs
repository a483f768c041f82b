//! Diagnostics for people at a terminal.

use super::Source;
use crate::diagnostic::{Diagnostic, Severity};
use codespan_reporting::diagnostic::{self as codespan, LabelStyle};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::{self, termcolor::WriteColor};
use std::io;
use std::ops::Range;

/// The source lines with the places marked, then notes and help.
pub fn full(out: &mut dyn WriteColor, source: &Source, found: &Diagnostic) -> io::Result<()> {
    let file = SimpleFile::new(source.name, source.text);
    let range = |range: &Range<u32>| range.start as usize..range.end as usize;
    let label =
        |style, at: &Range<u32>, message: &str| codespan::Label::new(style, (), range(at)).with_message(message);
    let mut labels = vec![label(LabelStyle::Primary, &found.range, &found.label)];
    labels.extend(found.labels.iter().map(|other| label(LabelStyle::Secondary, &other.range, &other.message)));
    let mut notes = found.notes.clone();
    notes.extend(found.fixes.iter().map(|fix| format!("help: {}", fix.title)));
    let diagnostic = codespan::Diagnostic::new(severity(found.page.severity))
        .with_code(found.page.code)
        .with_message(&found.message)
        .with_labels(labels)
        .with_notes(notes);
    let config = term::Config { tab_width: 2, ..term::Config::default() };
    term::emit_to_write_style(out, &config, &file, &diagnostic).map_err(io::Error::other)
}

fn severity(severity: Severity) -> codespan::Severity {
    match severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
        Severity::Info => codespan::Severity::Note,
        Severity::Hint => codespan::Severity::Help,
    }
}

/// One line: `file:row:column: severity[code]: message`.
pub fn concise(out: &mut dyn io::Write, source: &Source, found: &Diagnostic) -> io::Result<()> {
    let place = source.lines.place(found.range.start, source.text);
    let (severity, code) = (found.page.severity.name(), found.page.code);
    writeln!(out, "{}:{}:{}: {severity}[{code}]: {}", source.name, place.row, place.column, found.message)
}
