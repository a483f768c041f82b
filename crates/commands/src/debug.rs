//! `tile debug-adapter`.

use crate::choose::choose;
use crate::headings::INPUT;
use crate::launches::{self, Program};
use crate::messages::fail;
use crate::preview::Previews;
use crate::{project, sources};
use std::io;
use std::path::PathBuf;
use tile_dap::{LaunchRequest, Prepared};
use tile_input::Reach;
use tile_launch::LaunchError;

/// Run the debug adapter
///
/// The adapter speaks the Debug Adapter Protocol over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder that is open in the editor (can be repeated)
    ///
    /// Launches can read `npy("…")` files only in these folders, or in the program's own folder if it is outside all of
    /// them.
    #[arg(long, value_name = "FOLDER", help_heading = INPUT)]
    folder: Vec<PathBuf>,
    /// Let launches read any file
    #[arg(long, help_heading = INPUT)]
    files_outside_folder: bool,
    #[command(flatten)]
    preview: Previews,
}

/// The option that lets a launch read other files.
const UNLESS: &str =
    "`tile debug-adapter --files-outside-folder` (the setting `tile.run.filesOutsideFolder` of VS Code)";

/// Serves an editor until it disconnects.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let reach = if arguments.files_outside_folder {
        Reach::everywhere()
    } else {
        Reach::within(arguments.folder.iter().cloned())
    };
    match tile_dap::serve(io::stdin().lock(), io::stdout(), &|request| prepare(request, &arguments.preview, &reach)) {
        Ok(()) => 0,
        Err(error) => fail(format_args!("cannot communicate with the editor: {error}")),
    }
}

/// Creates the job of the requested launch.
fn prepare(request: &LaunchRequest, preview: &Previews, reach: &Reach) -> Result<Prepared, String> {
    let file = sources::read_regular(&request.program)?;
    let options = preview.options_in(&project::configs(), &file.name)?;
    let program = Program::check(file, options);
    if let Some(first) = program.errors.first() {
        let (file, row) = (&program.file.name, program.row(first.range.start));
        return Err(format!("{file}:{row}: {}", first.message));
    }
    let (entry, launch) = choose(&program, request.entry.as_deref(), request.launch.as_deref())?;
    let reported = |error: &LaunchError| {
        let place = if launches::is_outside(&error.range) {
            program.file.name.clone()
        } else {
            format!("{}:{}", program.file.name, program.row(error.range.start as u32))
        };
        format!("{place}: {}", launches::with_help(&error.message, error.help.as_ref()))
    };
    let misfits = tile_launch::bind::misfits(entry.kernels(&launch), &launch);
    if let Some(mistake) = entry.directives.errors_in(&launch).chain(&misfits).next() {
        return Err(reported(mistake));
    }
    let job = program.job_within(entry, launch, reach, UNLESS).map_err(|error| reported(&error))?;
    Ok(Prepared { job, entry: entry.clone() })
}
