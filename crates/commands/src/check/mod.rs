//! `tile check`.

mod arguments;
mod cost;
mod once;
mod program;
mod report;
mod statistics;
mod watch;

pub(crate) use arguments::Arguments;

use crate::messages::fail;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if let Some(mistake) = arguments.mistake() {
        return fail(mistake);
    }
    if arguments.watch {
        return watch::run(arguments);
    }
    let (status, files) = once::once(arguments);
    let explains = arguments.explain_cost && !arguments.diff && arguments.output_format.is_for_people();
    if explains { status.max(cost::explain(arguments, &files)) } else { status }
}
