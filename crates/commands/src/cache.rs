//! `tile cache`.

use crate::messages::fail;
use tile_backend::cuda::cache::{Cache, FOLDER_VARIABLE, SIZE_VARIABLE};
use tile_input::size;

/// Show or clear the cache of compiled kernels.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Delete all entries
    #[arg(long)]
    clear: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    let Some(cache) = Cache::of_user() else {
        return fail(format_args!(
            "the cache is disabled: {SIZE_VARIABLE} is 0, or neither {FOLDER_VARIABLE} nor HOME is set"
        ));
    };
    let folder = cache.folder().display();
    let done = if arguments.clear { cache.clear() } else { cache.contents() };
    let contents = match done {
        Ok(contents) => contents,
        Err(error) => return fail(format_args!("`{folder}`: {error}")),
    };
    let entries = if contents.entries == 1 { "entry" } else { "entries" };
    let summary = format!("{} {entries}, {}", contents.entries, size::shown(contents.bytes));
    if arguments.clear {
        crate::messages::print(format_args!("{folder}: deleted {summary}"))
    } else {
        crate::messages::print(format_args!("{folder}: {summary} (limit {})", size::shown(cache.limit())))
    }
}
