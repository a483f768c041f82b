//! `tile cache`.

use crate::messages::fail;
use tile_backend::cuda::cache::{Cache, FOLDER_VARIABLE, SIZE_VARIABLE};
use tile_input::size;

/// Show where compiled code is kept, or throw it away.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Throw all of it away.
    #[arg(long)]
    clear: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let Some(cache) = Cache::of_user() else {
        return fail(format_args!(
            "there is no cache: {SIZE_VARIABLE} turns it off, or {FOLDER_VARIABLE} and HOME are unset"
        ));
    };
    let folder = cache.folder().display();
    let done = if arguments.clear { cache.clear() } else { cache.contents() };
    let contents = match done {
        Ok(contents) => contents,
        Err(error) => return fail(format_args!("`{folder}`: {error}")),
    };
    let entries = if contents.entries == 1 { "entry" } else { "entries" };
    let what = format!("{} {entries}, {}", contents.entries, size::shown(contents.bytes));
    if arguments.clear {
        crate::messages::print(format_args!("{folder}: {what} thrown away"))
    } else {
        crate::messages::print(format_args!("{folder}: {what} of at most {}", size::shown(cache.limit())))
    }
}
