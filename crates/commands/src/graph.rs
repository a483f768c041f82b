//! `tile graph`.

use crate::chosen_entry::{ChosenEntry, EntryArguments};
use crate::headings::OUTPUT;
use crate::messages::fail;
use clap::ValueEnum;
use std::path::Path;
use tile_analysis::ir::OpId;
use tile_dataflow::graph;
use tile_dataflow::graph::label::Labels;
use tile_launch::known::launched;

/// Show how data flows between memory and tiles.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: EntryArguments,
    /// Output format [default: by the extension of the output file, else `text`]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = OUTPUT)]
    output_format: Option<Format>,
    /// Same as `--output-format json`
    #[arg(long, conflicts_with = "output_format", help_heading = OUTPUT)]
    json: bool,
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
    arguments.chosen.write(|chosen| rendered(chosen, format(arguments)?)).unwrap_or_else(fail)
}

fn format(arguments: &Arguments) -> Result<Format, String> {
    match arguments.output_format {
        Some(format) => Ok(format),
        None if arguments.json => Ok(Format::Json),
        None => by_extension(arguments.chosen.output.as_deref()),
    }
}

/// The format that the extension of the output file names. Text goes to files without an extension or with `.txt`.
fn by_extension(output: Option<&str>) -> Result<Format, String> {
    let extension = output.and_then(|output| Path::new(output).extension()).and_then(|extension| extension.to_str());
    match extension {
        None | Some("txt") => Ok(Format::Text),
        Some(extension) => Format::from_str(extension, true).map_err(|_| {
            format!("unknown extension `.{extension}` of the output file: choose a format with `--output-format`")
        }),
    }
}

fn rendered(chosen: &ChosenEntry<'_>, format: Format) -> Result<String, String> {
    let found = chosen.found;
    let graph = graph::build(&found.entry);
    let values = launched(&found.entry, chosen.launch);
    // Without a directive, parameters are unknown.
    let has_launch = !found.directives.launches.is_empty();
    let labels = Labels { graph: &graph, names: chosen.names(), launched: has_launch.then_some(&values) };
    let line = |op: OpId| chosen.line(op);
    Ok(match format {
        Format::Text => format!("{}\n{}", chosen.title(), labels.text(&line)),
        Format::Svg => labels.svg(&line).map_err(|why| format!("{why}; use another format"))?,
        Format::Html => labels.page(&chosen.title(), &line),
        Format::Dot => labels.dot(&found.entry.name),
        Format::Json => format!("{:#}\n", labels.json(&line)),
    })
}
