//! Checking a program, finding its launches and creating jobs for them: shared by `tile run` and `tile test`.

use crate::limit::{Audience, Limit};
use crate::sources::{self, SourceFile};
use crate::style;
use codespan_reporting::term::termcolor::{StandardStream, WriteColor};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Label, Severity};
use tile_analysis::lines::Lines;
use tile_analysis::render::{self, Source};
use tile_backend::worker::{DataFiles, Job, ReportedFinding, Verdict};
use tile_input::Reach;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, LaunchError};

/// Shows a diagnostic on standard error.
pub(crate) fn show(source: &Source, diagnostic: &Diagnostic) {
    if diagnostic.severity == Severity::Hint {
        return; // only editors show hints
    }
    // If standard error is closed, there is nowhere to report it.
    let _ = render::full(&mut StandardStream::stderr(style::of_errors()), source, diagnostic);
}

/// Shows the diagnostics of a file on standard error, with a limit on the errors.
pub(crate) fn show_all(source: &Source, found: &[Diagnostic], limit: Limit) {
    let shown = limit.cut(found, Audience::Person, source.name);
    shown.diagnostics.into_iter().for_each(|diagnostic| show(source, diagnostic));
    shown.omitted.into_iter().for_each(say);
}

/// A program that has been checked.
pub(crate) struct Program {
    pub(crate) file: SourceFile,
    pub(crate) lines: Lines,
    pub(crate) entries: Vec<EntryLaunches>,
    /// Errors that prevent it from running.
    pub(crate) errors: Vec<Diagnostic>,
    /// Errors in its launch directives.
    pub(crate) mistakes: Vec<Diagnostic>,
}

impl Program {
    /// Checks a program with these options.
    pub(crate) fn check(file: SourceFile, options: Options) -> Program {
        let checked = batch::check(&file.text, options, |_| Keep::Everything);
        let (entries, mistakes) = (find::of(&file.text, &checked), find::problems_of(&file.text, &checked));
        let mut errors = checked.diagnostics;
        errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
        let lines = Lines::new(&file.text);
        Program { file, lines, entries, errors, mistakes }
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source { name: &self.file.name, text: &self.file.text, lines: &self.lines }
    }

    /// Shows a diagnostic on standard error.
    pub(crate) fn show(&self, diagnostic: &Diagnostic) {
        show(&self.source(), diagnostic);
    }

    /// Writes diagnostics, with a limit on the errors.
    pub(crate) fn report(&self, found: &[Diagnostic], limit: Limit, out: &mut dyn WriteColor) -> io::Result<()> {
        let shown = limit.cut(found, Audience::Person, &self.file.name);
        shown.diagnostics.into_iter().try_for_each(|diagnostic| render::full(out, &self.source(), diagnostic))?;
        shown.omitted.map_or(Ok(()), |omitted| writeln!(out, "{omitted}"))
    }

    /// Creates the job of a launch.
    pub(crate) fn job(&self, entry: &EntryLaunches, launch: Launch) -> Result<Job, LaunchError> {
        self.job_within(entry, launch, &Reach::everywhere(), "")
    }

    /// Creates the job of a launch that can read only the files in `reach`. The error for other files names `unless`,
    /// the option that lifts the restriction.
    pub(crate) fn job_within(
        &self,
        entry: &EntryLaunches,
        launch: Launch,
        reach: &Reach,
        unless: &str,
    ) -> Result<Job, LaunchError> {
        let files = self.files(&launch, reach, unless)?;
        let path = if self.file.name == "-" { "<stdin>" } else { &self.file.name };
        Ok(Job { files, path: path.to_string(), ..Job::new(&*self.file.text, &*entry.entry.name, launch) })
    }

    /// The row of an offset, from 1.
    pub(crate) fn row(&self, offset: u32) -> u32 {
        self.lines.place(offset, &self.file.text).row
    }

    /// Converts a diagnostic to JSON.
    pub(crate) fn diagnostic_json(&self, diagnostic: &Diagnostic) -> Value {
        json!(render::json_diagnostic(&self.source(), diagnostic))
    }

    /// Converts the result of an expectation to JSON.
    pub(crate) fn verdict_json(&self, verdict: &Verdict) -> Value {
        let Verdict { passed, summary, range, differences } = verdict;
        let mut event = json!({"row": self.row(range.start), "passed": passed, "summary": summary});
        if let Some(differences) = differences {
            event["differences"] = json!(differences);
        }
        event
    }

    /// Describes an expectation that was not met.
    pub(crate) fn verdict_text(&self, verdict: &Verdict) -> String {
        let name = render::escape_line(&self.file.name);
        format!("{name}:{}: expectation failed\n{}", self.row(verdict.range.start), verdict.summary)
    }

    /// Reads the files that a launch names, which are relative to the program's folder.
    fn files(&self, launch: &Launch, reach: &Reach, unless: &str) -> Result<Vec<(String, Vec<u8>)>, LaunchError> {
        let of_args = launch.args.iter().flat_map(|arg| arg.spec.files().map(move |file| (file, &arg.range)));
        let expects = launch.expects.iter().map(|expect| (expect, expect.range()));
        let expects: Vec<_> = expects.collect();
        let of_expects =
            expects.iter().flat_map(|(expect, range)| expect.files().into_iter().map(move |file| (file, range)));
        let folder = Path::new(&self.file.name).parent().unwrap_or(Path::new(""));
        let mut data = DataFiles::new();
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for (name, range) in of_args.chain(of_expects) {
            if files.iter().all(|(known, _)| known != name) {
                let read = reach.path(folder, name, unless).and_then(|path| {
                    data.read(&path).map_err(|error| sources::unreadable(&path.to_string_lossy(), &error))
                });
                let problem = |message| LaunchError { range: range.clone(), message, help: None };
                files.push((name.to_string(), read.map_err(problem)?));
            }
        }
        Ok(files)
    }
}

/// The title of a launch: its file, entry and name.
pub(crate) fn title(program: &Program, entry: &EntryLaunches, launch: usize) -> String {
    let name = entry.directives.launches[launch].name.as_deref();
    format!("{} {}", render::escape_line(&program.file.name), named(&entry.entry.name, name))
}

/// The entry and the name of a launch.
pub(crate) fn named(entry: &str, name: Option<&str>) -> String {
    let name = name.map_or(String::new(), |name| format!(" \"{}\"", render::escape_line(name)));
    format!("@{entry}{name}")
}

/// Whether a mistake is on the command line, and therefore has no place in the program.
pub(crate) fn is_outside(range: &Range<usize>) -> bool {
    *range == (0..0)
}

/// The message and the help of a mistake on the command line.
pub(crate) fn usage(mistake: &LaunchError) -> String {
    with_help(&mistake.message, mistake.help.as_ref())
}

/// Appends a help line to a message.
pub(crate) fn with_help(message: &str, help: Option<&String>) -> String {
    help.map_or(message.to_string(), |help| format!("{message}\n  help: {help}"))
}

/// Prints a line to standard error, and ignores errors: if it is closed, there is nowhere to report it.
pub(crate) fn say(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", render::escape(&text.to_string()));
}

/// Converts a finding of a run to a diagnostic.
pub(crate) fn diagnostic(found: &ReportedFinding) -> Diagnostic {
    let page = tile_backend::all_pages().find(|page| page.code == found.code && page.code != find::PAGE.code);
    let page = page.unwrap_or(&find::PROBLEM);
    let mut diagnostic = Diagnostic::new(page, found.shown_range(), found.message.clone());
    diagnostic.notes = found.notes.clone();
    let label = |(range, message): &(Range<u32>, String)| Label { range: range.clone(), message: message.clone() };
    diagnostic.labels = found.others.iter().map(label).collect();
    diagnostic
}
