//! The limit on the diagnostics shown for a file: `--max-errors`.

use crate::headings::OUTPUT;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::levels::Levels;
use tile_analysis::quota::{MAX_SHOWN, Quota};
use tile_analysis::selection::Candidate;

/// The default limit on errors in formats for people.
const DEFAULT: usize = 100;

/// The option `--max-errors`.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Limit {
    /// Maximum number of errors per file; 0 for no limit [default: 100]
    ///
    /// Formats for people show as many findings of each lint. Machine-readable formats show all findings, and all
    /// errors by default.
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    max_errors: Option<usize>,
}

/// Who reads the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Audience {
    /// A person, who gets the default limit.
    Person,
    /// A program, which gets everything unless it asks for fewer errors.
    Program,
}

/// The diagnostics of a file that are shown.
pub(crate) struct Shown<'d> {
    pub(crate) diagnostics: Vec<&'d Diagnostic>,
    /// Lines that report how many are not shown, without the last line break.
    pub(crate) omitted: Option<String>,
}

impl Limit {
    /// Selects the diagnostics of the file `name` to show: those up to the last error to show, and of each lint the
    /// first ones among them.
    pub(crate) fn cut<'d>(self, found: &'d [Diagnostic], reader: Audience, name: &str) -> Shown<'d> {
        let (errors, of_lint) = match (self.max_errors, reader) {
            (Some(0), _) | (None, Audience::Program) => (usize::MAX, usize::MAX),
            (Some(most), Audience::Program) => (most, usize::MAX),
            (Some(most), Audience::Person) => (most, most),
            (None, Audience::Person) => (DEFAULT, MAX_SHOWN),
        };
        let (found, rest) = at_error(found, errors);
        let levels = Levels::default();
        let mut quota = Quota::new(&levels, of_lint);
        // Commands do not show hints.
        let found = found.iter().filter(|found| found.severity != Severity::Hint);
        let diagnostics = found.filter(|found| quota.admits(&Candidate::of(found, 0))).collect();
        let of_lints = quota.omitted().map(|omitted| omitted.text());
        let omitted =
            of_lints.chain(not_shown(rest)).map(|text| format!("… and {text} in {name}; --max-errors 0 shows all"));
        let omitted = omitted.collect::<Vec<_>>().join("\n");
        Shown { diagnostics, omitted: Some(omitted).filter(|omitted| !omitted.is_empty()) }
    }
}

/// Splits diagnostics after as many errors as can be shown, if there are more.
fn at_error(found: &[Diagnostic], most: usize) -> (&[Diagnostic], &[Diagnostic]) {
    let errors = found.iter().enumerate().filter(|(_, found)| found.severity == Severity::Error);
    let Some((at, _)) = errors.clone().nth(most) else { return (found, &[]) };
    found.split_at(errors.take(most).last().map_or(at, |(last, _)| last + 1))
}

/// How many errors and warnings are not shown, in words.
fn not_shown(rest: &[Diagnostic]) -> Option<String> {
    let counted = |severity, noun: &str| {
        let count = rest.iter().filter(|found| found.severity == severity).count();
        (count > 0).then(|| format!("{count} more {noun}{}", if count == 1 { "" } else { "s" }))
    };
    let errors = counted(Severity::Error, "error")?;
    Some(counted(Severity::Warning, "warning").map_or(errors.clone(), |warnings| format!("{errors} and {warnings}")))
}
