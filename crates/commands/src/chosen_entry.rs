//! The arguments of commands that show one entry of a program: `tile graph`, `tile view`.

use crate::choose::choose;
use crate::destination::Destination;
use crate::headings::{INPUT, OUTPUT};
use crate::launches::{Program, show_all};
use crate::limit::Limit;
use crate::preview::Previews;
use crate::{project, sources};
use tile_analysis::ir::OpId;
use tile_dataflow::names::SourceNames;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, bind};

/// Which entry to show, and where.
#[derive(clap::Args)]
pub(crate) struct EntryArguments {
    /// Program to show, or `-` for standard input
    file: String,
    /// Entry to show [default: the first one with a launch]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    entry: Option<String>,
    /// Launch for which accesses are counted [default: the first one]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    launch: Option<String>,
    /// Output file, or `-` for standard output [default: `-`]
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    preview: Previews,
}

impl EntryArguments {
    /// Writes what `render` makes of the entry. Returns the exit status: 1 if the program or the
    /// launch has errors, which are shown.
    pub(crate) fn write(&self, render: impl Fn(&ChosenEntry<'_>) -> Result<String, String>) -> Result<u8, String> {
        let destination = Destination::of(self.output.as_deref().unwrap_or("-"), &self.file)?;
        let file = sources::read(&self.file)?;
        let options = self.preview.options_in(&project::configs(), &self.file)?;
        let program = Program::check(file, options);
        if !program.errors.is_empty() {
            show_all(&program.source(), &program.errors, self.limit);
            return Ok(1);
        }
        let (found, launch) = choose(&program, self.entry.as_deref(), self.launch.as_deref())?;
        // Without a directive, parameters are unknown.
        let has_launch = !found.directives.launches.is_empty();
        let misfits = if has_launch { bind::misfits(found.kernels(&launch), &launch) } else { Vec::new() };
        let mistakes: Vec<_> = found.directives.errors_in(&launch).chain(&misfits).map(find::launch_problem).collect();
        if !mistakes.is_empty() {
            show_all(&program.source(), &mistakes, self.limit);
            return Ok(1);
        }
        let text = render(&ChosenEntry { program: &program, found, launch: &launch })?;
        destination.write(text.as_bytes())
    }
}

/// The entry to show, and a launch of it.
pub(crate) struct ChosenEntry<'a> {
    pub(crate) program: &'a Program,
    pub(crate) found: &'a EntryLaunches,
    pub(crate) launch: &'a Launch,
}

impl ChosenEntry<'_> {
    /// The entry and the launch in words.
    pub(crate) fn title(&self) -> String {
        self.found.title(Some(self.launch))
    }

    pub(crate) fn names(&self) -> SourceNames<'_> {
        let text = &self.program.file.text[self.found.start as usize..];
        SourceNames { body: &self.found.entry, spans: &self.found.spans, text }
    }

    /// The line of an op in the file, from 1.
    pub(crate) fn line(&self, op: OpId) -> usize {
        let name = self.found.spans.op_names.get(op.0 as usize).map_or(0, |range| range.start);
        self.program.row(self.found.start + name) as usize
    }
}
