//! `tile check`.

mod program;
mod report;
mod statistics;
mod watch;

use crate::limit::Limit;
use crate::preview::Previews;
use crate::{fail, overwrite, sources, style};
use clap::ValueEnum;
use codespan_reporting::term::termcolor::{BufferedStandardStream, NoColor, WriteColor};
use program::{Checked, Checker};
use rayon::prelude::*;
use report::Report;
use std::collections::HashSet;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use tile_config::Configs;
use tile_dialect::{Gpu, Version};

/// Tell what is wrong with programs.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files, folders to search, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<String>,
    /// How diagnostics are shown.
    #[arg(long, value_enum, default_value = "full")]
    output_format: Format,
    /// Write what is shown to this file.
    #[arg(long, value_name = "FILE")]
    output_file: Option<PathBuf>,
    /// Apply safe fixes.
    #[arg(long)]
    fix: bool,
    /// Apply fixes that guess what was meant, too (with --fix or --diff).
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print what --fix would change instead of changing it; exit with status 1 if there is a difference.
    #[arg(long, conflicts_with_all = ["fix", "watch"])]
    diff: bool,
    /// Show how often each code was found instead of where.
    #[arg(long, conflicts_with = "diff")]
    statistics: bool,
    /// Check again whenever a file changes.
    #[arg(long, short, conflicts_with = "output_file")]
    watch: bool,
    /// The version whose rules hold [default: what `tile.toml` says, else 13.5; 13.3 with --upstream-tests, whose test
    /// build speaks that].
    #[arg(long, value_parser = version)]
    target_version: Option<Version>,
    /// Report what this GPU does not support, such as `sm_90` [default: `gpu` in `tile.toml`, else any GPU].
    #[arg(long, value_name = "sm_NN", value_parser = Gpu::parse)]
    gpu: Option<Gpu>,
    #[command(flatten)]
    preview: Previews,
    #[command(flatten)]
    limit: Limit,
    /// Treat `// -----` lines as ends of files.
    #[arg(long)]
    split_input_file: bool,
    /// Accept what upstream's test build accepts: `testing$func`, ops of other dialects, ops at file level.
    #[arg(long)]
    upstream_tests: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Full,
    Concise,
    Json,
    JsonLines,
    Github,
    Sarif,
}

/// A version by its name.
pub(crate) fn version(name: &str) -> Result<Version, String> {
    Version::parse(name)
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.watch { watch::run(arguments) } else { once(arguments).0 }
}

/// How many files are checked before what was found in them is shown.
const BATCH: usize = 256;

/// Checks everything once. The exit status, and the files that were looked at.
fn once(arguments: &Arguments) -> (u8, Vec<String>) {
    let configs = sources::configs();
    let found = sources::find(&arguments.paths, &configs);
    let unreadable = found.problems.iter().map(fail).max().unwrap_or(0);
    let status = match &arguments.output_file {
        None => check_all(arguments, &configs, &found.files, &mut BufferedStandardStream::stdout(style::of_output())),
        Some(path) => {
            let inputs = found.files.iter().map(String::as_str);
            if let Err(message) = overwrite::refuse_input(path, inputs) {
                return (fail(message), found.files);
            }
            let mut text = NoColor::new(Vec::new());
            let status = check_all(arguments, &configs, &found.files, &mut text);
            match tile_fmt::files::replace(path, &text.into_inner()) {
                Ok(()) => status,
                Err(error) => fail(format_args!("cannot write `{}`: {error}", path.display())),
            }
        }
    };
    (status.max(unreadable), found.files)
}

/// Checks files and shows what was found. The exit status.
fn check_all(arguments: &Arguments, configs: &Configs, files: &[String], out: &mut dyn WriteColor) -> u8 {
    let checker = Checker { arguments, configs };
    let mut report = Report::new(arguments);
    let (mut unreadable, mut told) = (0, HashSet::new());
    for batch in files.chunks(BATCH) {
        let checked: Vec<Result<Checked, String>> = match batch {
            // Threads take longer to start than most files to check.
            [file] => vec![checker.check(file)],
            _ => batch.par_iter().map(|file| checker.check(file)).collect(),
        };
        for checked in checked {
            match checked {
                // What is wrong with a project file is wrong for all files that it holds for.
                Err(message) if told.contains(&message) => {}
                Err(message) => {
                    unreadable = fail(&message);
                    told.insert(message);
                }
                Ok(checked) => {
                    if let Err(error) = report.file(&checked, out) {
                        return output_failed(&error).max(report.status());
                    }
                }
            }
        }
    }
    match report.finish(out).and_then(|()| out.flush()) {
        Err(error) => output_failed(&error).max(report.status()),
        Ok(()) => report.status().max(unreadable),
    }
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
