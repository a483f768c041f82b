//! Showing and counting diagnostics.

use super::arguments::{Arguments, Format};
use super::program::Checked;
use super::statistics::Statistics;
use crate::launches::say;
use crate::limit::Audience;
use crate::style::{self, Tone};
use codespan_reporting::term::termcolor::WriteColor;
use std::io::{self, IsTerminal};
use tile_analysis::diagnostic::{Applicability, Diagnostic, Severity};
use tile_analysis::fixes;
use tile_analysis::lines::Lines;
use tile_analysis::render::{self, Sarif, Source, escape};
use tile_files::diff;

/// Shows diagnostics and counts them.
pub(super) struct Report<'r> {
    arguments: &'r Arguments,
    /// Number of files checked.
    files: usize,
    errors: usize,
    warnings: usize,
    /// Number of notes shown.
    notes: usize,
    /// Number of hints, which are not shown, that `--fix` would apply.
    hints: usize,
    /// Number of edits made, or shown by `--diff`.
    edits: usize,
    first: bool,
    statistics: Statistics,
    sarif: Sarif,
}

impl<'r> Report<'r> {
    pub(super) fn new(arguments: &'r Arguments) -> Report<'r> {
        let (statistics, sarif) = (Statistics::default(), Sarif::new(env!("CARGO_PKG_VERSION")));
        Report {
            arguments,
            files: 0,
            errors: 0,
            warnings: 0,
            notes: 0,
            hints: 0,
            edits: 0,
            first: true,
            statistics,
            sarif,
        }
    }

    /// Shows the diagnostics of a file.
    pub(super) fn file(&mut self, checked: &Checked, out: &mut dyn WriteColor) -> io::Result<()> {
        self.files += 1;
        let file = &checked.file;
        if let Some(fixed) = &checked.fixed {
            self.edits += fixed.edits.len();
            if self.arguments.diff {
                let (before, after) = (file.holding(&file.text), file.holding(&fixed.text));
                let difference = diff::unified(&file.name, "(fixed)", &before, &after);
                // Outside a terminal, the diff must stay applicable as a patch.
                let to_terminal = self.arguments.output_file().is_none() && io::stdout().is_terminal();
                let difference = if to_terminal { escape(&difference).into_owned() } else { difference };
                let colored = if out.supports_color() { diff::colored(&difference) } else { difference };
                out.write_all(colored.as_bytes())?;
            }
        }
        if self.arguments.diff || checked.found.is_empty() {
            return Ok(());
        }
        let lines = Lines::new(&file.text);
        let source = Source { name: &file.name, text: &file.text, lines: &lines };
        checked.found.iter().for_each(|found| self.count(found));
        if self.arguments.statistics {
            return Ok(());
        }
        let is_for_people = self.arguments.output_format.is_for_people();
        let reader = if is_for_people { Audience::Person } else { Audience::Program };
        let shown = self.arguments.limit.cut(&checked.found, reader, &file.name);
        shown.diagnostics.into_iter().try_for_each(|found| self.show(&source, found, out))?;
        match shown.omitted {
            Some(omitted) if is_for_people => writeln!(out, "{omitted}"),
            // Other formats cannot contain these lines.
            omitted => {
                omitted.into_iter().for_each(say);
                Ok(())
            }
        }
    }

    fn count(&mut self, found: &Diagnostic) {
        match found.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => self.notes += 1,
            // Only editors show hints.
            Severity::Hint => {
                return self.hints += usize::from(fixes::chosen(&found.fixes, Applicability::Safe).is_some());
            }
        }
        if self.arguments.statistics {
            self.statistics.add(found);
        }
    }

    fn show(&mut self, source: &Source, found: &Diagnostic, out: &mut dyn WriteColor) -> io::Result<()> {
        let first = std::mem::replace(&mut self.first, false);
        match self.arguments.output_format {
            Format::Full => render::full(out, source, found),
            Format::Concise => render::concise(out, source, found),
            Format::Github => render::github(out, source, found),
            Format::Json => {
                out.write_all(if first { b"[\n" } else { b",\n" })?;
                Ok(serde_json::to_writer(out, &render::json_diagnostic(source, found))?)
            }
            Format::JsonLines => {
                serde_json::to_writer(&mut *out, &render::json_diagnostic(source, found))?;
                out.write_all(b"\n")
            }
            Format::Sarif => {
                self.sarif.add(source, found);
                Ok(())
            }
        }
    }

    /// The exit status: 1 for errors, and with `--diff` for changes.
    pub(super) fn status(&self) -> u8 {
        u8::from(self.errors > 0 || self.arguments.diff && self.edits > 0)
    }

    /// Writes the end of the output: statistics, the summary, or the end of a JSON or SARIF document.
    pub(super) fn finish(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        if self.arguments.diff {
            return Ok(());
        }
        match self.arguments.output_format {
            Format::Full | Format::Concise if self.arguments.statistics => self.statistics.text(out),
            _ if self.arguments.statistics => writeln!(out, "{}", self.statistics.json()),
            Format::Json => out.write_all(if self.first { b"[]\n" } else { b"\n]\n" }),
            Format::Sarif => {
                serde_json::to_writer_pretty(&mut *out, &self.sarif)?;
                out.write_all(b"\n")
            }
            Format::Full if self.files > 0 => {
                let (tone, summary) = self.summary();
                style::toned(out, tone, &summary)?;
                out.write_all(b"\n")
            }
            _ => Ok(()),
        }
    }

    fn summary(&self) -> (Tone, String) {
        let edits = match self.edits {
            0 => String::new(),
            edits => format!("made {}; ", count(edits, "edit")),
        };
        let files = count(self.files, "file");
        let hints = match self.hints {
            0 => String::new(),
            hints => format!("; --fix applies {}", count(hints, "hint")),
        };
        if self.errors + self.warnings + self.notes == 0 {
            let found = if self.hints == 0 { "nothing found" } else { "no errors or warnings" };
            return (Tone::Good, format!("{edits}{files} checked, {found}{hints}"));
        }
        let tone = match (self.errors, self.warnings) {
            (0, 0) => Tone::Good,
            (0, _) => Tone::Warning,
            _ => Tone::Bad,
        };
        let notes = match self.notes {
            0 => String::new(),
            notes => format!(", {}", count(notes, "note")),
        };
        let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
        (tone, format!("{edits}{errors}, {warnings}{notes} in {files}{hints}"))
    }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
