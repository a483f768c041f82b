//! `tile diff`.

mod excerpt;
mod folder;
mod json;
mod pairs;
mod program;
mod statistics;
mod text;
mod words;

use crate::headings::OUTPUT;
use crate::messages::{fail, output_failed};
use crate::preview::Previews;
use crate::{messages, project, style};
use clap::ValueEnum;
use program::Input;
use std::path::Path;
use tile_diff::report::Verdict;

/// Compare what two programs mean
///
/// Names, locations, comments, formatting and the order of ops are not compared. Programs can be text or bytecode. For
/// two folders, prints a table of the programs with the same path, and statistics.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// First program or folder, or `-` for standard input
    a: String,
    /// Second program or folder, or `-` for standard input
    b: String,
    /// Exit with status 1 if the programs differ
    #[arg(long, help_heading = OUTPUT)]
    exit_code: bool,
    /// Also print differences that do not change the meaning: unused ops, and values computed more often
    #[arg(long, help_heading = OUTPUT)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = OUTPUT)]
    output_format: Format,
    /// Same as `--output-format json`
    #[arg(long, conflicts_with = "output_format", help_heading = OUTPUT)]
    json: bool,
    #[command(flatten)]
    preview: Previews,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The ops that differ, with their lines
    Text,
    /// The same, for other programs
    Json,
}

/// Runs the command. The status is 2 if a program cannot be read or has errors, and 1 if the programs differ and
/// `--exit-code` is given.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let is_folder = |path: &str| path != "-" && Path::new(path).is_dir();
    match (is_folder(&arguments.a), is_folder(&arguments.b)) {
        (true, true) => folder::run(arguments),
        (false, false) if arguments.a == "-" && arguments.b == "-" => {
            fail("only one of the programs can be standard input")
        }
        (false, false) => files(arguments),
        _ => fail("cannot compare a folder with a file"),
    }
}

fn files(arguments: &Arguments) -> u8 {
    let configs = project::configs();
    let read = |path: &str| Input::read(path, &configs, &arguments.preview).map_err(|unusable| unusable.report());
    let (a, b) = match (read(&arguments.a), read(&arguments.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(status), _) | (_, Err(status)) => return status,
    };
    let report = tile_diff::compare(&a.program(), &b.program());
    let status = arguments.status(report.verdict());
    if arguments.is_json() {
        let written = messages::print(format_args!("{:#}", json::report(&a, &b, &report)));
        return written.max(status);
    }
    let text = text::Text { a: &a, b: &b, report: &report, all: arguments.all };
    match text.write(&mut style::output()) {
        Ok(()) => status,
        Err(error) => output_failed(&error).max(status),
    }
}

impl Arguments {
    fn is_json(&self) -> bool {
        self.json || self.output_format == Format::Json
    }

    fn status(&self, verdict: Verdict) -> u8 {
        u8::from(self.exit_code && verdict != Verdict::Same)
    }
}
