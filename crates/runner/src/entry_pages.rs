//! Pages about the entry at a position in a file: its data flow, and the accesses of a launch.

use tile_analysis::db::{File, Queries};
use tile_analysis::ir::OpId;
use tile_analysis::lines::Lines;
use tile_dataflow::graph::{self, label::Labels};
use tile_dataflow::names::SourceNames;
use tile_dataflow::view::Drawn;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::known::launched;
use tile_launch::{Launch, bind};

/// The entry at a position, and the launch there, or else its first one.
pub struct EntryAt<'a> {
    /// The entry with its launches.
    pub found: EntryLaunches,
    number: usize,
    text: &'a str,
    lines: Lines,
}

impl<'a> EntryAt<'a> {
    /// Finds the entry that contains an offset in bytes, or whose directives do.
    pub fn find(db: &'a Queries, file: File, offset: u32) -> Option<EntryAt<'a>> {
        let found = find::near(db, file, offset)?;
        let is_here = |launch: &Launch| launch.range.contains(&(offset as usize));
        let number = found.directives.launches.iter().position(is_here).unwrap_or(0);
        let text = file.text(db);
        Some(EntryAt { found, number, text, lines: Lines::new(text) })
    }

    /// The launch; `None` if the entry has none.
    pub fn launch(&self) -> Option<&Launch> {
        self.found.directives.launches.get(self.number)
    }

    /// The entry and the launch in words.
    pub fn title(&self) -> String {
        self.found.title(self.launch())
    }

    /// The data flow graph, as HTML.
    pub fn graph(&self) -> String {
        let graph = graph::build(&self.found.entry);
        let values = self.launch().map(|launch| launched(&self.found.entry, launch));
        let labels = Labels { graph: &graph, names: self.names(), launched: values.as_ref() };
        labels.page(&self.title(), &|op| self.line(op))
    }

    /// The accesses of the launch, as HTML; `None` if the entry has none.
    pub fn accesses(&self) -> Option<String> {
        let (entry, launch) = (&self.found.entry, self.launch()?);
        let drawn = Drawn {
            names: self.names(),
            launched: &launched(entry, launch),
            title: &self.title(),
            extents: &|base| bind::extents(entry, launch, base.param()?),
            line: &|op| self.line(op),
            recording: None,
        };
        Some(drawn.page(&tile_dataflow::accesses(entry)))
    }

    fn names(&self) -> SourceNames<'_> {
        let text = &self.text[self.found.start as usize..];
        SourceNames { body: &self.found.entry, spans: &self.found.spans, text }
    }

    /// The line of an op, from 1.
    fn line(&self, op: OpId) -> usize {
        let name = self.found.spans.op_names.get(op.0 as usize).map_or(0, |range| range.start);
        self.lines.line(self.found.start + name) + 1
    }
}
