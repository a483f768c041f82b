//! The `tile-fmt` program as a library: formats files, folders or standard input.

mod arguments;
mod lines;
mod work;

pub use arguments::{Arguments, FAILED, Format, SUCCESS, UNFORMATTED};
pub use lines::Lines;
pub use work::not_text;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashSet;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use tile_config::Configs;
use tile_syntax::visible::{escape, escape_line};
use work::{FileResult, Work};

/// Runs the program on the process's own streams; returns the exit status.
pub fn main_with(arguments: Arguments) -> u8 {
    let color = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    main_as(arguments, &Configs::default(), color)
}

/// Like [`main_with`], with the given project files and with or without colors.
pub fn main_as(arguments: Arguments, configs: &Configs, color: bool) -> u8 {
    let to_terminal = io::stdout().is_terminal();
    let streams = Streams {
        input: &mut io::stdin().lock(),
        output: &mut io::stdout().lock(),
        messages: &mut io::stderr().lock(),
        color,
        to_terminal,
    };
    run_with(&arguments, configs, streams)
}

/// The streams that the program reads and writes.
pub struct Streams<'s> {
    /// Standard input.
    pub input: &'s mut dyn Read,
    /// Formatted text, file names and diffs.
    pub output: &'s mut dyn Write,
    /// Errors and notes.
    pub messages: &'s mut dyn Write,
    /// Whether diffs are colored.
    pub color: bool,
    /// Whether the output goes to a terminal, in which case control characters are escaped.
    pub to_terminal: bool,
}

/// Number of files formatted before their results are reported.
const BATCH: usize = 256;

/// Runs the program; returns the exit status: [`SUCCESS`], [`UNFORMATTED`] or [`FAILED`].
pub fn run(arguments: &Arguments, streams: Streams) -> u8 {
    run_with(arguments, &Configs::default(), streams)
}

fn run_with(arguments: &Arguments, configs: &Configs, streams: Streams) -> u8 {
    let work = Work { arguments, configs, color: streams.color, to_terminal: streams.to_terminal };
    let mut reporter =
        Reporter { output: streams.output, messages: streams.messages, status: SUCCESS, reported: HashSet::new() };
    let is_one_file = |paths: &[PathBuf]| matches!(paths, [path] if !path.is_dir());
    if arguments.range.is_some() && !is_one_file(&arguments.paths) {
        reporter.fail("`--range` requires exactly one file");
        return reporter.status;
    }
    let here = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    for path in paths {
        if path.as_os_str() == "-" {
            reporter.report(work.standard_input(streams.input));
        } else {
            reporter.path(path, &work);
        }
    }
    if let Err(error) = reporter.output.flush() {
        reporter.output_failed(&error);
    }
    reporter.status
}

/// Minimum number of threads: some wait for the disk while others format.
const THREADS: usize = 8;

/// Returns a thread pool for this many files, or `None` if rayon's default pool is large enough or the user has set its
/// size.
fn threads(files: usize) -> Option<ThreadPool> {
    let is_configured = std::env::var_os("RAYON_NUM_THREADS").is_some();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let more = files > cores && cores < THREADS && !is_configured;
    // If the pool cannot be created, fall back to the default one.
    more.then(|| ThreadPoolBuilder::new().num_threads(THREADS.min(files)).build().ok()).flatten()
}

/// Reports the results of the files, in their order.
struct Reporter<'t> {
    output: &'t mut dyn Write,
    messages: &'t mut dyn Write,
    status: u8,
    reported: HashSet<String>,
}

impl Reporter<'_> {
    /// Formats a file, or all files of a folder in parallel.
    fn path(&mut self, path: &Path, work: &Work) {
        let (files, errors) = tile_files::files(path, work.configs);
        if files.is_empty() && errors.is_empty() {
            self.print(
                "note",
                &format!(
                    "the folder `{}` contains no `.tile` files to format; other files must be named explicitly",
                    escape_line(&path.to_string_lossy())
                ),
            );
        }
        errors.into_iter().for_each(|error| self.report(FileResult::failed(error)));
        if let [file] = &files[..] {
            return self.report(work.file(file));
        }
        let format_all =
            |batch: &[PathBuf]| -> Vec<FileResult> { batch.par_iter().map(|file| work.file(file)).collect() };
        let threads = threads(files.len());
        for batch in files.chunks(BATCH) {
            let outcomes = match &threads {
                Some(threads) => threads.install(|| format_all(batch)),
                None => format_all(batch),
            };
            outcomes.into_iter().for_each(|outcome| self.report(outcome));
        }
    }

    fn report(&mut self, outcome: FileResult) {
        self.status = self.status.max(outcome.status);
        // A broken `tile.toml` yields the same problem for each of its files; report it once.
        if let Some(problem) = outcome.problem
            && !self.reported.contains(&problem)
        {
            self.fail(&problem);
            self.reported.insert(problem);
        }
        if let Err(error) = self.output.write_all(outcome.output.as_bytes()) {
            self.output_failed(&error);
        }
    }

    fn fail(&mut self, message: &str) {
        self.status = FAILED;
        self.print("error", message);
    }

    fn print(&mut self, level: &str, message: &str) {
        // If this fails too, the exit status is the only report.
        let _ = writeln!(self.messages, "{level}: {}", escape(message));
    }

    /// Reports a write error. A closed pipe (`tile fmt - | head`) is not an error.
    fn output_failed(&mut self, error: &io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.fail(&format!("cannot write the output: {error}"));
        }
    }
}
