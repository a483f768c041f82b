//! `tile diff`.

mod arguments;
mod columns;
mod excerpt;
mod folder;
mod json;
mod pairs;
mod program;
mod side_by_side;
mod statistics;
mod text;
mod words;

use crate::messages::{fail, output_failed};
use crate::{messages, project, style};
pub(crate) use arguments::Arguments;
use program::Input;
use std::path::Path;
use tile_diff::report::Verdict;

/// Runs the command. The status is 2 if a program cannot be read or has errors, and 1 if the programs differ and
/// `--exit-code` is given.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let is_folder = |path: &str| path != "-" && Path::new(path).is_dir();
    match (is_folder(&arguments.a), is_folder(&arguments.b)) {
        (true, true) if arguments.is_side_by_side() => fail("folders cannot be compared side by side"),
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
    let mut out = style::output();
    let written = if arguments.is_side_by_side() && report.verdict() != Verdict::Same {
        side_by_side::write(&mut out, &a, &b, arguments.width()).and_then(|()| text.summary(&mut out))
    } else {
        text.write(&mut out)
    };
    match written {
        Ok(()) => status,
        Err(error) => output_failed(&error).max(status),
    }
}
