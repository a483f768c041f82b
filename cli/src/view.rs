//! `tile view`.

use crate::chosen_entry::{ChosenEntry, EntryArguments};
use crate::launches::usage;
use crate::messages::fail;
use std::io::{self, IsTerminal};
use tile_analysis::ir::{OpId, RegionId};
use tile_backend::worker::{Event, Start, Watching};
use tile_dataflow::view::{Drawn, Recording};
use tile_launch::bind;
use tile_launch::known::launched;

/// Draw what a launch does with memory, as a page for a browser.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Draw the elements that each load, store and atomic op accesses
    #[arg(long, required = true)]
    accesses: bool,
    /// Run the launch to draw accesses whose elements depend on loaded values
    ///
    /// The launch runs on the CPU engine. Other accesses are drawn without it.
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    chosen: EntryArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.chosen.output.is_none() && io::stdout().is_terminal() {
        return fail("the output is a page for a browser: name a file with `-o`");
    }
    arguments.chosen.write(|chosen| page(arguments, chosen)).unwrap_or_else(fail)
}

fn page(arguments: &Arguments, chosen: &ChosenEntry<'_>) -> Result<String, String> {
    let entry = &chosen.found.entry;
    if chosen.found.directives.launches.is_empty() {
        return Err(format!(
            "`@{}` has no launch, which defines the grid and the buffers: add one with a `//@ launch` comment above it",
            entry.name
        ));
    }
    let accesses = tile_dataflow::accesses(entry);
    let page = Drawn {
        names: chosen.names(),
        launched: &launched(entry, chosen.launch),
        title: &chosen.title(),
        extents: &|base| bind::extents(entry, chosen.launch, base.param()?),
        line: &|op| chosen.line(op),
        recording: None,
    };
    if !arguments.run {
        return Ok(page.page(&accesses));
    }
    let recording = record(chosen, page.unknown(&accesses))?;
    Ok(Drawn { recording: Some(&recording), ..page }.page(&accesses))
}

/// Runs the launch, and records the accesses of some ops. The error says why it ended early.
fn record(chosen: &ChosenEntry<'_>, ops: Vec<OpId>) -> Result<Recording, String> {
    let mut recording = Recording::default();
    if ops.is_empty() {
        return Ok(recording);
    }
    let entry = &chosen.found.entry;
    let mut job = chosen.program.job(chosen.found, chosen.launch.clone()).map_err(|error| usage(&error))?;
    job.watching = Watching { accesses: ops.iter().map(|op| op.0).collect(), ..Watching::default() };
    let mut worker = Start::default().worker().map_err(|error| error.to_string())?;
    let report = worker.run(&job, |event| {
        let Event::Accessed(found) = event else { return };
        let index = entry.params.iter().position(|name| **name == *found.buffer);
        if let Some(&buffer) = index.and_then(|index| entry.region(RegionId(0)).args.get(index)) {
            recording.add(OpId(found.op), found.block, &found.iterations, buffer, found.runs);
        }
    });
    match report.map_err(|error| error.to_string())?.findings.first() {
        Some(found) => Err(format!("the run ended early: {}: {}; `tile run` shows where", found.code, found.message)),
        None => Ok(recording),
    }
}
