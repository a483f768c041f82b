//! The limit on the errors shown for a file: `--max-errors`.

use crate::headings::OUTPUT;
use std::borrow::Cow;
use tile_analysis::diagnostic::{Diagnostic, Severity};

/// The default limit in formats for people.
const DEFAULT: usize = 100;

/// The option `--max-errors`.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Limit {
    /// Maximum number of errors per file; 0 for no limit [default: 100]
    ///
    /// Machine-readable formats have no limit by default.
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    max_errors: Option<usize>,
}

/// Who reads the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Audience {
    /// A person, who gets the default limit.
    Person,
    /// A program, which gets everything unless it asks for less.
    Program,
}

/// The number of diagnostics that are not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Omitted {
    errors: usize,
    warnings: usize,
}

impl Limit {
    /// Splits the diagnostics of a file into those to show and a count of the rest, which is everything after the last
    /// error to show.
    pub(crate) fn cut(self, found: &[Diagnostic], reader: Audience) -> (&[Diagnostic], Option<Omitted>) {
        let most = match (self.max_errors, reader) {
            (Some(0), _) | (None, Audience::Program) => return (found, None),
            (Some(most), _) => most,
            (None, Audience::Person) => DEFAULT,
        };
        let errors = found.iter().enumerate().filter(|(_, found)| found.severity == Severity::Error);
        let Some((at, _)) = errors.clone().nth(most) else { return (found, None) };
        let (shown, rest) = found.split_at(errors.take(most).last().map_or(at, |(last, _)| last + 1));
        let count = |severity| rest.iter().filter(|found| found.severity == severity).count();
        (shown, Some(Omitted { errors: count(Severity::Error), warnings: count(Severity::Warning) }))
    }
}

impl Omitted {
    /// The line that reports their number.
    pub(crate) fn line(self, file: &str) -> String {
        let counted = |count: usize, noun: &str| format!("{count} more {noun}{}", if count == 1 { "" } else { "s" });
        let warnings = match self.warnings {
            0 => Cow::Borrowed(""),
            count => Cow::Owned(format!(" and {}", counted(count, "warning"))),
        };
        format!("… and {}{warnings} in {file}; --max-errors 0 shows all", counted(self.errors, "error"))
    }
}
