//! `tile view`.

use crate::choose::choose;
use crate::destination::Destination;
use crate::headings::{INPUT, OUTPUT};
use crate::launches::{Program, show_all};
use crate::limit::Limit;
use crate::messages::fail;
use crate::preview::Previews;
use crate::{project, sources};
use std::io::{self, IsTerminal};
use tile_analysis::ir::OpId;
use tile_dataflow::names::SourceNames;
use tile_dataflow::view::Drawn;
use tile_launch::bind;
use tile_launch::certain::launched;

/// Draw what a launch does with memory, as a page for a browser.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to show, or `-` for standard input
    file: String,
    /// Draw the elements that each load, store and atomic op accesses
    #[arg(long, required = true)]
    accesses: bool,
    /// Entry to show [default: the first one with a launch]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    entry: Option<String>,
    /// Launch to show [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    launch: Option<String>,
    /// Output file, or `-` for standard output
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<String>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    preview: Previews,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match view(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn view(arguments: &Arguments) -> Result<u8, String> {
    if arguments.output.is_none() && io::stdout().is_terminal() {
        return Err("the output is a page for a browser: name a file with `-o`".to_string());
    }
    let destination = Destination::of(arguments.output.as_deref().unwrap_or("-"), &arguments.file)?;
    let file = sources::read(&arguments.file)?;
    let options = arguments.preview.options_in(&project::configs(), &arguments.file)?;
    let program = Program::check(file, options);
    if !program.errors.is_empty() {
        show_all(&program.source(), &program.errors, arguments.limit);
        return Ok(1);
    }
    let (found, launch) = choose(&program, arguments.entry.as_deref(), arguments.launch.as_deref())?;
    let names =
        SourceNames { body: &found.entry, spans: &found.spans, text: &program.file.text[found.start as usize..] };
    let line = |op: OpId| {
        let name = found.spans.op_names.get(op.0 as usize).map_or(0, |range| range.start);
        program.row(found.start + name) as usize
    };
    let page = Drawn {
        names,
        launched: &launched(&found.entry, &launch),
        title: &found.title(Some(&launch)),
        extents: &|base| bind::extents(&found.entry, &launch, base.param()?),
        line: &line,
    };
    destination.write(page.page(&tile_dataflow::accesses(&found.entry)).as_bytes())
}
