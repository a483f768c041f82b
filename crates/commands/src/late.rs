//! Arguments that are described to clap only when their command is called. Describing all commands takes longer than
//! checking a small program.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments of a command.
pub(crate) struct Late<T>(pub(crate) T);

impl<T: Args> Args for Late<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(T::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(T::augment_args_for_update)
    }
}

impl<T: FromArgMatches> FromArgMatches for Late<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Late<T>, Error> {
        T::from_arg_matches(matches).map(Late)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
