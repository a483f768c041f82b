//! Diagnostics as GitHub workflow commands, shown as annotations of pull requests.

use super::{Source, escape, name_in_repository};
use crate::diagnostic::{Diagnostic, Severity};
use std::io;

/// Writes a diagnostic as one workflow command.
pub fn github(out: &mut dyn io::Write, source: &Source, found: &Diagnostic) -> io::Result<()> {
    let command = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Hint => "notice",
    };
    let start = source.lines.place(found.range.start, source.text);
    let end = source.lines.place(found.range.end, source.text);
    writeln!(
        out,
        "::{command} file={},line={},col={},endLine={},endColumn={},title={}::{}",
        property(&name_in_repository(source.name)),
        start.row,
        start.column,
        end.row,
        end.column,
        found.page.code,
        data(&found.message)
    )
}

fn data(text: &str) -> String {
    escape(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
