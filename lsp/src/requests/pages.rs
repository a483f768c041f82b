//! `tile/graph` and `tile/accesses`: pages about the entry at a position, for editors that can show HTML.

use crate::documents::Snapshot;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_analysis::ir::OpId;
use tile_dataflow::graph;
use tile_dataflow::graph::label::Labels;
use tile_dataflow::names::SourceNames;
use tile_dataflow::view::Drawn;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::known::launched;
use tile_launch::{Launch, bind};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::TextDocumentPositionParams;

/// The parameters: a position in an entry, or in the directives above it.
#[derive(Deserialize)]
pub(crate) struct PageParams {
    #[serde(flatten)]
    place: TextDocumentPositionParams,
}

/// A page.
#[derive(Serialize)]
pub(crate) struct Page {
    title: String,
    html: String,
}

impl Page {
    pub(super) fn new(title: String, html: String) -> Page {
        Page { title, html }
    }
}

/// The data flow graph.
pub(crate) async fn graph(shared: &Shared, params: PageParams) -> Result<Option<Page>> {
    page(shared, params, |entry| {
        let graph = graph::build(&entry.found.entry);
        let values = entry.launch.map(|launch| launched(&entry.found.entry, launch));
        let labels = Labels { graph: &graph, names: entry.names(), launched: values.as_ref() };
        Some(labels.page(&entry.title(), &|op| entry.line(op)))
    })
    .await
}

/// The accesses of a launch; `None` for an entry without launches.
pub(crate) async fn accesses(shared: &Shared, params: PageParams) -> Result<Option<Page>> {
    page(shared, params, |entry| {
        let launch = entry.launch?;
        let page = Drawn {
            names: entry.names(),
            launched: &launched(&entry.found.entry, launch),
            title: &entry.title(),
            extents: &|base| bind::extents(&entry.found.entry, launch, base.param()?),
            line: &|op| entry.line(op),
            recording: None,
        };
        Some(page.page(&tile_dataflow::accesses(&entry.found.entry)))
    })
    .await
}

async fn page(
    shared: &Shared,
    params: PageParams,
    html: impl Fn(&Shown<'_>) -> Option<String> + Clone + Send + 'static,
) -> Result<Option<Page>> {
    let PageParams { place } = params;
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let offset = snapshot.text.offset(place.position);
            let found = find::near(db, file, offset)?;
            let launches = &found.directives.launches;
            let is_here = |launch: &&Launch| launch.range.contains(&(offset as usize));
            let launch = launches.iter().find(is_here).or(launches.first());
            let entry = Shown { found: &found, launch, snapshot, text: file.text(db) };
            Some(Page { title: entry.title(), html: html(&entry)? })
        })
        .await?;
    Ok(found.flatten())
}

/// The entry of a page.
struct Shown<'a> {
    found: &'a EntryLaunches,
    launch: Option<&'a Launch>,
    snapshot: &'a Snapshot,
    text: &'a str,
}

impl Shown<'_> {
    fn names(&self) -> SourceNames<'_> {
        let text = &self.text[self.found.start as usize..];
        SourceNames { body: &self.found.entry, spans: &self.found.spans, text }
    }

    fn title(&self) -> String {
        self.found.title(self.launch)
    }

    /// The line of an op, from 1.
    fn line(&self, op: OpId) -> usize {
        let name = self.found.spans.op_names.get(op.0 as usize).map_or(0, |range| range.start);
        self.snapshot.text.position(self.found.start + name).line as usize + 1
    }
}
