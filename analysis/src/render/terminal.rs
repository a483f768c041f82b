//! Diagnostics for terminals.

mod excerpt;

use super::{Source, escape, escape_line};
use crate::diagnostic::{Diagnostic, Severity};
use codespan_reporting::diagnostic::{self as codespan, LabelStyle};
use codespan_reporting::files::{self, Files};
use codespan_reporting::term::{self, termcolor::WriteColor};
use excerpt::Excerpt;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The maximum length of a line to show, in bytes. An excerpt of a longer line would not help.
const MAX_LINE_LENGTH: usize = 1000;

/// Writes the source lines with labels, then notes and help. If a line is too long to be shown, writes the diagnostic
/// on one line as [`concise`] does.
pub fn full(out: &mut dyn WriteColor, source: &Source, found: &Diagnostic) -> io::Result<()> {
    if !can_be_shown(source, found) {
        return concise(out, source, found);
    }
    match Excerpt::of_hidden(source, found) {
        None => emit(out, &Lined(source), found, |range| range.start as usize..range.end as usize),
        Some(excerpt) => emit(out, &excerpt, found, |range| excerpt.range(range)),
    }
}

fn emit<'f>(
    out: &mut dyn WriteColor,
    files: &'f impl Files<'f, FileId = ()>,
    found: &Diagnostic,
    range: impl Fn(&Range<u32>) -> Range<usize>,
) -> io::Result<()> {
    let label = |style, at: &Range<u32>, message: &str| {
        codespan::Label::new(style, (), range(at)).with_message(escape_line(message))
    };
    let mut labels = vec![label(LabelStyle::Primary, &found.range, &found.label)];
    labels.extend(found.labels.iter().map(|other| label(LabelStyle::Secondary, &other.range, &other.message)));
    let mut notes: Vec<String> = found.notes.iter().map(|note| escape(note).into_owned()).collect();
    notes.extend(found.fixes.iter().map(|fix| format!("help: {}", escape(&fix.title))));
    let diagnostic = codespan::Diagnostic::new(severity(found.severity))
        .with_code(found.page.code)
        .with_message(escape_line(&found.message))
        .with_labels(labels)
        .with_notes(notes);
    let config = term::Config { tab_width: 2, ..term::Config::default() };
    term::emit_to_write_style(out, &config, files, &diagnostic).map_err(io::Error::other)
}

fn can_be_shown(source: &Source, found: &Diagnostic) -> bool {
    let mut places = found.labels.iter().map(|label| &label.range).chain([&found.range]);
    places.all(|place| source.lines.range(source.lines.line(place.start), source.text).len() <= MAX_LINE_LENGTH)
}

/// A source with precomputed line starts.
struct Lined<'a, 's>(&'a Source<'s>);

impl<'f> Files<'f> for Lined<'_, '_> {
    type FileId = ();
    type Name = Cow<'f, str>;
    type Source = &'f str;

    fn name(&'f self, (): ()) -> Result<Cow<'f, str>, files::Error> {
        Ok(escape_line(self.0.name))
    }

    fn source(&'f self, (): ()) -> Result<&'f str, files::Error> {
        Ok(self.0.text)
    }

    fn line_index(&'f self, (): (), byte: usize) -> Result<usize, files::Error> {
        Ok(self.0.lines.line(byte as u32))
    }

    fn line_range(&'f self, (): (), line: usize) -> Result<Range<usize>, files::Error> {
        let count = self.0.lines.count();
        if line >= count {
            return Err(files::Error::LineTooLarge { given: line, max: count - 1 });
        }
        Ok(self.0.lines.range(line, self.0.text))
    }
}

fn severity(severity: Severity) -> codespan::Severity {
    match severity {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
        Severity::Info => codespan::Severity::Note,
        Severity::Hint => codespan::Severity::Help,
    }
}

/// Writes one line: `file:row:column: severity[code]: message`.
pub fn concise(out: &mut dyn io::Write, source: &Source, found: &Diagnostic) -> io::Result<()> {
    let place = source.lines.place(found.range.start, source.text);
    let (severity, code) = (found.severity.name(), found.page.code);
    let (name, message) = (escape_line(source.name), escape_line(&found.message));
    writeln!(out, "{name}:{}:{}: {severity}[{code}]: {message}", place.row, place.column)
}
