//! `tile check`.

use crate::{fail, sources};
use clap::ValueEnum;
use codespan_reporting::term::termcolor::{BufferedStandardStream, ColorChoice, WriteColor};
use std::error::Error;
use std::io::{self, IsTerminal, Write};
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::lines::Lines;
use tile_analysis::render::{self, Source};
use tile_backend::launch::find;
use tile_dialect::Version;

/// Tell what is wrong with programs.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders; `-` is standard input.
    #[arg(required = true)]
    paths: Vec<String>,
    /// How diagnostics are shown.
    #[arg(long, value_enum, default_value = "full")]
    output_format: Format,
    /// The version whose rules hold [default: 13.4, or 13.3 with --upstream-tests, whose test build speaks that].
    #[arg(long, value_parser = version)]
    target_version: Option<Version>,
    /// Treat `// -----` lines as ends of files.
    #[arg(long)]
    split_input_file: bool,
    /// Accept what upstream's test build accepts: `testing$func`, ops of other dialects, ops at file level.
    #[arg(long)]
    upstream_tests: bool,
}

impl Arguments {
    /// The version that was asked for, else the newest that suits what is checked.
    fn version(&self) -> Version {
        let usual = if self.upstream_tests { Version::V13_3 } else { Version::NEWEST };
        self.target_version.unwrap_or(usual)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Full,
    Concise,
    Json,
    JsonLines,
    Github,
}

/// A version by its name.
pub(crate) fn version(name: &str) -> Result<Version, String> {
    let known = || Version::ALL.map(Version::name).join(", ");
    Version::from_name(name).ok_or_else(|| format!("the versions are {}", known()))
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let color = if io::stdout().is_terminal() { ColorChoice::Auto } else { ColorChoice::Never };
    let mut out = BufferedStandardStream::stdout(color);
    let mut report = Report { format: arguments.output_format, files: 0, errors: 0, warnings: 0, first: true };
    let found = sources::find(&arguments.paths);
    let mut unreadable = found.problems.iter().map(fail).max();
    for path in &found.files {
        match sources::read(path) {
            Ok(file) => {
                if let Err(error) = check_file(arguments, &file, &mut report, &mut out) {
                    return output_failed(&error).max(report.status());
                }
            }
            Err(message) => unreadable = Some(fail(message)),
        }
    }
    if let Err(error) = report.finish(&mut out).and_then(|()| out.flush()) {
        return output_failed(&error).max(report.status());
    }
    unreadable.unwrap_or(report.status())
}

/// The exit status when the output cannot be written. A closed pipe is the reader's choice and no error.
pub(crate) fn output_failed(error: &io::Error) -> u8 {
    if is_closed(error) { 0 } else { fail(format_args!("cannot write the output: {error}")) }
}

/// Whether nobody reads the output any more. The error may be wrapped into others.
fn is_closed(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<io::Error>();
    let inner = io.and_then(io::Error::get_ref).map(|inner| inner as &(dyn Error + 'static));
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || inner.or_else(|| error.source()).is_some_and(is_closed)
}

fn check_file(
    arguments: &Arguments,
    file: &sources::SourceFile,
    report: &mut Report,
    out: &mut dyn WriteColor,
) -> io::Result<()> {
    report.files += 1;
    let options =
        Options { version: arguments.version(), upstream_tests: arguments.upstream_tests, ..Options::default() };
    let lines = Lines::new(&file.text);
    let source = Source { name: &file.name, text: &file.text, lines: &lines };
    let chunks = if arguments.split_input_file { chunks(&file.text) } else { vec![(0, file.text.as_str())] };
    for (start, text) in chunks {
        let checked = batch::check(text, options, |start| match find::has_directives(text, start) {
            true => Keep::Everything,
            false => Keep::Nothing,
        });
        let launches = find::diagnostics_of(text, &checked);
        let mut found = checked.diagnostics;
        found.extend(launches);
        found.sort_by_key(|diagnostic| diagnostic.range.start);
        for diagnostic in found {
            report.show(&source, &diagnostic.shifted(start as u32), out)?;
        }
    }
    Ok(())
}

/// The parts of a file between `// -----` lines, with where they start.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim() == "// -----" {
            chunks.push((start, &text[start..at]));
            start = at + line.len();
        }
        at += line.len();
    }
    chunks.push((start, &text[start..]));
    chunks
}

/// Shows diagnostics and counts them.
struct Report {
    format: Format,
    /// How many files were checked.
    files: usize,
    errors: usize,
    warnings: usize,
    first: bool,
}

impl Report {
    fn show(&mut self, source: &Source, found: &Diagnostic, out: &mut dyn WriteColor) -> io::Result<()> {
        match found.page.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            // Hints are for editors, where they do not get in the way.
            Severity::Hint => return Ok(()),
            Severity::Info => {}
        }
        let is_for_people = matches!(self.format, Format::Full | Format::Concise | Format::Github);
        if found.page.severity == Severity::Hint && is_for_people {
            return Ok(()); // an editor shows it where it does not disturb
        }
        let first = std::mem::replace(&mut self.first, false);
        match self.format {
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
        }
    }

    fn status(&self) -> u8 {
        u8::from(self.errors > 0)
    }

    fn finish(&self, out: &mut dyn WriteColor) -> io::Result<()> {
        match self.format {
            Format::Json => out.write_all(if self.first { b"[]\n" } else { b"\n]\n" }),
            Format::Full if self.files > 0 => {
                let count =
                    |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
                if self.errors + self.warnings > 0 {
                    let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
                    return writeln!(out, "{errors}, {warnings} in {}", count(self.files, "file"));
                }
                writeln!(out, "{} checked, nothing found", count(self.files, "file"))
            }
            _ => Ok(()),
        }
    }
}
