//! `tile view`.

use crate::chosen_entry::{ChosenEntry, EntryArguments};
use crate::launch_options::block;
use crate::launches::usage;
use crate::messages::fail;
use std::io::{self, IsTerminal};
use tile_analysis::ir::{OpId, RegionId};
use tile_backend::viewer::{self, Viewer};
use tile_backend::worker::contents::Viewed;
use tile_backend::worker::{Event, Host, Watching, trace};
use tile_dataflow::view::{Drawn, Recording};
use tile_launch::known::launched;
use tile_launch::{Expect, bind};

/// Show accesses, values or expectations of a launch as a page for a browser.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("subject").required(true))]
pub(crate) struct Arguments {
    /// Draw the elements that each load, store and atomic op accesses
    #[arg(long, group = "subject")]
    accesses: bool,
    /// Show the tiles of a value, or a buffer before and after the run
    ///
    /// The launch runs on the CPU engine. For several values that share a name, `%a#1` is one of them.
    #[arg(long, value_name = "NAME", group = "subject")]
    value: Option<String>,
    /// Show both sides of the expectation on this line, and their difference
    #[arg(long, value_name = "LINE", group = "subject")]
    expectation: Option<usize>,
    /// Show the value only in this tile block
    ///
    /// Omitted coordinates are 0. A page contains at most 256 MiB of elements.
    #[arg(long, value_name = "X,Y,Z", value_parser = block, requires = "value")]
    block: Option<[u32; 3]>,
    /// Run the launch to draw accesses whose elements depend on loaded values
    ///
    /// The launch runs on the CPU engine. Other accesses are drawn without it.
    #[arg(long, requires = "accesses")]
    run: bool,
    #[command(flatten)]
    chosen: EntryArguments,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    if arguments.chosen.output.is_none() && io::stdout().is_terminal() {
        return fail("the output is a page for a browser: name a file with `-o`");
    }
    let page = |chosen: &ChosenEntry<'_>| match (&arguments.value, arguments.expectation) {
        (Some(name), _) => value(arguments, name, chosen),
        (None, Some(line)) => expectation(line, chosen),
        (None, None) => accesses(arguments, chosen),
    };
    arguments.chosen.write(page).unwrap_or_else(fail)
}

fn accesses(arguments: &Arguments, chosen: &ChosenEntry<'_>) -> Result<String, String> {
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

/// The page of a value or a buffer.
fn value(arguments: &Arguments, name: &str, chosen: &ChosenEntry<'_>) -> Result<String, String> {
    let (text, launch) = (&chosen.program.file.text, chosen.launch);
    if let Some(mistake) = trace::mistake(chosen.found, text, launch.grid, &[], arguments.block) {
        return Err(format!("`--block`: {mistake}"));
    }
    let viewed = viewer::named(chosen.found, text, launch, name).map_err(|why| format!("`--value`: {why}"))?;
    let name = format!("%{}", name.trim().trim_start_matches('%'));
    show(name, viewed, arguments.block, chosen)
}

/// The page of the expectation on a line.
fn expectation(line: usize, chosen: &ChosenEntry<'_>) -> Result<String, String> {
    let text = &chosen.program.file.text;
    let expects = &chosen.launch.expects;
    let row = |expect: &Expect| chosen.program.row(expect.range().start as u32) as usize;
    let Some(number) = expects.iter().position(|expect| row(expect) == line) else {
        let lines: Vec<String> = expects.iter().map(|expect| row(expect).to_string()).collect();
        let known = if lines.is_empty() { "none".to_string() } else { format!("those on line {}", lines.join(", ")) };
        return Err(format!("`--expectation`: {} has no expectation on line {line}, only {known}", chosen.title()));
    };
    let name = text.get(expects[number].range()).unwrap_or_default().to_string();
    show(name, Viewed::Expectation(number as u32), None, chosen)
}

/// Runs the launch, and shows the contents.
fn show(name: String, view: Viewed, block: Option<[u32; 3]>, chosen: &ChosenEntry<'_>) -> Result<String, String> {
    let job = chosen.program.job(chosen.found, chosen.launch.clone()).map_err(|error| usage(&error))?;
    let job = viewer::viewing(job, view, block);
    let mut worker = Host::default().worker().map_err(|error| error.to_string())?;
    let mut viewer = Viewer::new(name, chosen.title(), chosen.launch.grid);
    viewer::collect(&mut worker, &job, &mut viewer).map_err(|error| error.to_string())?;
    viewer.page().ok_or_else(|| viewer.nothing())
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
    let mut worker = Host::default().worker().map_err(|error| error.to_string())?;
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
