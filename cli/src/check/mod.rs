//! `tile check`.

mod arguments;
mod once;
mod program;
mod report;
mod statistics;
mod watch;

pub(crate) use arguments::Arguments;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.watch { watch::run(arguments) } else { once::once(arguments).0 }
}
