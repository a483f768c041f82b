//! Checking files once.

use super::arguments::Arguments;
use super::program::{Checked, Checker};
use super::report::Report;
use crate::messages::{fail, output_failed};
use crate::{overwrite, project, sources, style};
use codespan_reporting::term::termcolor::{BufferedStandardStream, NoColor, WriteColor};
use rayon::prelude::*;
use std::collections::HashSet;
use tile_config::Configs;

/// The number of files to check before showing their diagnostics.
pub(super) const BATCH: usize = 256;

/// Checks everything once. Returns the exit status and the checked files.
pub(super) fn once(arguments: &Arguments) -> (u8, Vec<String>) {
    let configs = project::configs();
    let found = sources::find(&arguments.paths, &configs);
    let unreadable = found.problems.iter().map(fail).max().unwrap_or(0);
    let status = match arguments.output_file() {
        None => check_all(arguments, &configs, &found.files, &mut BufferedStandardStream::stdout(style::of_output())),
        Some(path) => {
            let inputs = found.files.iter().map(String::as_str);
            if let Err(message) = overwrite::refuse_input(path, inputs) {
                return (fail(message), found.files);
            }
            let mut text = NoColor::new(Vec::new());
            let status = check_all(arguments, &configs, &found.files, &mut text);
            match tile_files::replace(path, &text.into_inner()) {
                Ok(()) => status,
                Err(error) => fail(format_args!("cannot write `{}`: {error}", path.display())),
            }
        }
    };
    (status.max(unreadable), found.files)
}

/// Checks files and shows their diagnostics. Returns the exit status.
pub(super) fn check_all(arguments: &Arguments, configs: &Configs, files: &[String], out: &mut dyn WriteColor) -> u8 {
    let checker = Checker { arguments, configs };
    let mut report = Report::new(arguments);
    let (mut unreadable, mut reported) = (0, HashSet::new());
    for batch in files.chunks(BATCH) {
        let checked: Vec<Result<Checked, String>> = match batch {
            // Starting threads takes longer than checking most files.
            [file] => vec![checker.check(file)],
            _ => batch.par_iter().map(|file| checker.check(file)).collect(),
        };
        for checked in checked {
            match checked {
                // An error in a project file occurs again for each of the project's files.
                Err(message) if reported.contains(&message) => {}
                Err(message) => {
                    unreadable = fail(&message);
                    reported.insert(message);
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
