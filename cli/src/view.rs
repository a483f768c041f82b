//! `tile view`.

use crate::chosen_entry::EntryArguments;
use crate::messages::fail;
use std::io::{self, IsTerminal};
use tile_dataflow::view::Drawn;
use tile_launch::bind;
use tile_launch::known::launched;

/// Draw what a launch does with memory, as a page for a browser.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Draw the elements that each load, store and atomic op accesses
    #[arg(long, required = true)]
    accesses: bool,
    #[command(flatten)]
    chosen: EntryArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.chosen.output.is_none() && io::stdout().is_terminal() {
        return fail("the output is a page for a browser: name a file with `-o`");
    }
    let page = arguments.chosen.write(|chosen| {
        let entry = &chosen.found.entry;
        let page = Drawn {
            names: chosen.names(),
            launched: &launched(entry, chosen.launch),
            title: &chosen.title(),
            extents: &|base| bind::extents(entry, chosen.launch, base.param()?),
            line: &|op| chosen.line(op),
        };
        Ok(page.page(&tile_dataflow::accesses(entry)))
    });
    page.unwrap_or_else(fail)
}
