//! `tile graph`.

use crate::choose::choose;
use crate::destination::Destination;
use crate::headings::{INPUT, OUTPUT};
use crate::launches::{Program, show_all};
use crate::limit::Limit;
use crate::messages::fail;
use crate::preview::Previews;
use crate::{project, sources};
use clap::ValueEnum;
use std::path::Path;
use tile_analysis::ir::OpId;
use tile_dataflow::graph;
use tile_dataflow::graph::label::Labels;
use tile_dataflow::names::SourceNames;
use tile_launch::Launch;
use tile_launch::certain::launched;
use tile_launch::find::EntryLaunches;

/// Show how data flows between memory and tiles.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Program to show, or `-` for standard input
    file: String,
    /// Entry to show [default: the first one with a launch]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    entry: Option<String>,
    /// Launch for which accesses are counted [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    launch: Option<String>,
    /// Output format [default: by the extension of the output file, else `text`]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = OUTPUT)]
    output_format: Option<Format>,
    /// Output file, or `-` for standard output [default: `-`]
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<String>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    preview: Previews,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Ops on tiles in source order, indented by loop and branch
    Text,
    /// An image
    Svg,
    /// The image in a page
    Html,
    /// The input of Graphviz
    Dot,
    /// Nodes, edges and access maps for other programs
    Json,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> u8 {
    match graph(arguments) {
        Ok(status) => status,
        Err(message) => fail(message),
    }
}

fn graph(arguments: &Arguments) -> Result<u8, String> {
    let output = arguments.output.as_deref();
    let destination = Destination::of(output.unwrap_or("-"), &arguments.file)?;
    let file = sources::read(&arguments.file)?;
    let options = arguments.preview.options_in(&project::configs(), &arguments.file)?;
    let program = Program::check(file, options);
    if !program.errors.is_empty() {
        show_all(&program.source(), &program.errors, arguments.limit);
        return Ok(1);
    }
    let (entry, launch) = choose(&program, arguments.entry.as_deref(), arguments.launch.as_deref())?;
    let format = arguments.output_format.unwrap_or_else(|| by_extension(output));
    let text = rendered(&program, entry, &launch, format)?;
    destination.write(text.as_bytes())
}

fn by_extension(output: Option<&str>) -> Format {
    let extension = output.and_then(|output| Path::new(output).extension()).and_then(|extension| extension.to_str());
    extension.and_then(|extension| Format::from_str(extension, true).ok()).unwrap_or(Format::Text)
}

fn rendered(program: &Program, found: &EntryLaunches, launch: &Launch, format: Format) -> Result<String, String> {
    let text = &program.file.text[found.start as usize..];
    let names = SourceNames { body: &found.entry, spans: &found.spans, text };
    let graph = graph::build(&found.entry);
    let values = launched(&found.entry, launch);
    // Without a directive, parameters are unknown.
    let has_launch = !found.directives.launches.is_empty();
    let labels = Labels { graph: &graph, names, launched: has_launch.then_some(&values) };
    let line = |op: OpId| {
        let name = found.spans.op_names.get(op.0 as usize).map_or(0, |range| range.start);
        program.row(found.start + name) as usize
    };
    Ok(match format {
        Format::Text => format!("{}\n{}", found.title(Some(launch)), labels.text(&line)),
        Format::Svg => labels.svg(&line).map_err(|why| format!("{why}; use another format"))?,
        Format::Html => labels.page(&found.title(Some(launch)), &line),
        Format::Dot => labels.dot(&found.entry.name),
        Format::Json => format!("{:#}\n", labels.json(&line)),
    })
}
