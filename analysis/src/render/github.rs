//! Diagnostics as GitHub workflow commands, shown as annotations of pull requests.

use super::Source;
use crate::diagnostic::{Diagnostic, Severity};
use std::io;
use std::ops::Range;
use tile_syntax::annotation::{Annotation, Level, Place};

/// Writes a diagnostic as one workflow command.
pub fn github(out: &mut dyn io::Write, source: &Source, found: &Diagnostic) -> io::Result<()> {
    writeln!(out, "{}", source.annotation(found))
}

impl<'a> Source<'a> {
    /// Returns the annotation of a diagnostic, with the code as title.
    pub fn annotation(&self, found: &'a Diagnostic) -> Annotation<'a> {
        let level = match found.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Info | Severity::Hint => Level::Notice,
        };
        Annotation { level, place: Some(self.place(&found.range)), title: found.page.code, message: &found.message }
    }

    /// Returns where annotations of a range appear.
    pub fn place(&self, range: &Range<u32>) -> Place<'a> {
        let [start, end] = [range.start, range.end].map(|offset| self.lines.place(offset, self.text));
        Place { file: self.name, rows: [start.row, end.row], columns: Some([start.column, end.column]) }
    }
}
