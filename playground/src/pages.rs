//! Pages about the entry or the launch at a position: its data flow, its accesses, and the elements of a value.

use crate::document::Document;
use crate::job::{self, Job};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use tile_analysis::ir::OpId;
use tile_analysis::lines::Lines;
use tile_dataflow::graph::{self, label::Labels};
use tile_dataflow::names::SourceNames;
use tile_dataflow::view::Drawn;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::known::launched;
use tile_launch::{Launch, bind};
use tile_runner::viewer::{Viewer, viewed_at, viewing};
use tile_runner::{Event, Events};

/// A page.
#[derive(Serialize, Debug)]
pub(crate) struct Page {
    title: String,
    html: String,
}

/// The data flow graph of the entry at a position.
pub(crate) fn graph(document: &Document, at: u32) -> Result<Page, String> {
    let shown = Shown::at(document, at)?;
    let graph = graph::build(&shown.found.entry);
    let values = shown.launch().map(|launch| launched(&shown.found.entry, launch));
    let labels = Labels { graph: &graph, names: shown.names(), launched: values.as_ref() };
    let html = labels.page(&shown.title(), &|op| shown.line(op));
    Ok(Page { title: format!("Data flow of {}", shown.title()), html })
}

/// The accesses of the launch at a position.
pub(crate) fn accesses(document: &Document, at: u32) -> Result<Page, String> {
    let shown = Shown::at(document, at)?;
    let (entry, launch) = (&shown.found.entry, shown.any_launch()?);
    let drawn = Drawn {
        names: shown.names(),
        launched: &launched(entry, launch),
        title: &shown.title(),
        extents: &|base| bind::extents(entry, launch, base.param()?),
        line: &|op| shown.line(op),
        recording: None,
    };
    let html = drawn.page(&tile_dataflow::accesses(entry));
    Ok(Page { title: format!("Accesses of {}", shown.title()), html })
}

/// The elements of the value, buffer or expectation at a position. Runs the launch.
pub(crate) fn view(document: &mut Document, files: &[(String, Vec<u8>)], at: u32) -> Result<Page, String> {
    let offset = document.byte(at);
    let shown = Shown::at(document, at)?;
    let (found, launch) = (shown.found.clone(), shown.any_launch()?.clone());
    let title = shown.title();
    job::refuse_mistakes(document, &found, &launch)?;
    let (name, view) = viewed_at(&document.db, document.file, &found, &launch, offset)?;
    let collector = Collector(Mutex::new(Viewer::new(name.clone(), title.clone(), launch.grid)));
    let (launch, watching) = viewing(launch, view, None);
    let entry = &found.entry.name;
    let job = Job { text: document.text(), entry, launch: &launch, files, sanitize: false, watching: &watching };
    job.run(&collector)?;
    let viewer = collector.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let html = viewer.page().ok_or_else(|| viewer.nothing())?;
    Ok(Page { title: format!("{name} in {title}"), html })
}

/// Collects the contents of a page. Those beyond its limit are dropped.
struct Collector(Mutex<Viewer>);

impl Events for Collector {
    fn send(&self, event: Event) {
        if let Event::Contents(contents) = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(*contents);
        }
    }

    fn during(&self, _: &tile_engine::Options, work: &mut dyn FnMut()) {
        work();
    }
}

/// The entry at a position, and the launch there, or else its first one.
struct Shown<'a> {
    found: EntryLaunches,
    /// The number of the launch.
    number: usize,
    text: &'a str,
    lines: Lines,
}

impl Shown<'_> {
    fn at(document: &Document, at: u32) -> Result<Shown<'_>, String> {
        let offset = document.byte(at);
        let found = find::near(&document.db, document.file, offset).ok_or("there is no entry at this position")?;
        let is_here = |launch: &Launch| launch.range.contains(&(offset as usize));
        let number = found.directives.launches.iter().position(is_here).unwrap_or(0);
        let text = document.text();
        Ok(Shown { found, number, text, lines: Lines::new(text) })
    }

    fn launch(&self) -> Option<&Launch> {
        self.found.directives.launches.get(self.number)
    }

    fn any_launch(&self) -> Result<&Launch, String> {
        let missing = || format!("`@{}` has no launch; write one above it: `//@ launch`", self.found.entry.name);
        self.launch().ok_or_else(missing)
    }

    fn title(&self) -> String {
        self.found.title(self.launch())
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
