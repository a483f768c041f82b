//! `tile debug-adapter`.

use crate::choose::choose;
use crate::launches::{self, Program};
use crate::{fail, sources};
use std::io;
use tile_backend::launch::LaunchError;
use tile_dap::{Prepared, Wanted};

/// Debug a launch for an editor, which speaks the debug adapter protocol over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Serves an editor until it leaves.
pub(crate) fn run(_: &Arguments) -> u8 {
    match tile_dap::serve(io::stdin().lock(), io::stdout(), &prepare) {
        Ok(()) => 0,
        Err(error) => fail(format_args!("cannot talk to the editor: {error}")),
    }
}

/// The job of the launch that is wanted.
fn prepare(wanted: &Wanted) -> Result<Prepared, String> {
    let program = Program::check(sources::read(&wanted.program)?);
    if let Some(first) = program.errors.first() {
        let (file, row) = (&program.file.name, program.row(first.range.start));
        return Err(format!("{file}:{row}: {}", first.message));
    }
    let (entry, launch) = choose(&program, wanted.entry.as_deref(), wanted.launch.as_deref())?;
    let told = |error: &LaunchError| {
        let place = if launches::is_outside(&error.range) {
            program.file.name.clone()
        } else {
            format!("{}:{}", program.file.name, program.row(error.range.start as u32))
        };
        format!("{place}: {}", launches::with_help(&error.message, error.help.as_ref()))
    };
    let misfits = tile_backend::launch::bind::misfits(&entry.entry, &launch);
    if let Some(mistake) = entry.directives.errors_in(&launch).chain(&misfits).next() {
        return Err(told(mistake));
    }
    let job = program.job(entry, launch).map_err(|error| told(&error))?;
    Ok(Prepared { job, entry: entry.clone() })
}
