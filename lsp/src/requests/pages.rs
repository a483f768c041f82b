//! `tile/graph` and `tile/accesses`: pages about the entry at a position, for editors that can show HTML.

use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_runner::EntryAt;
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
    page(shared, params, |entry| Some(entry.graph())).await
}

/// The accesses of a launch; `None` for an entry without launches.
pub(crate) async fn accesses(shared: &Shared, params: PageParams) -> Result<Option<Page>> {
    page(shared, params, |entry| entry.accesses()).await
}

async fn page(
    shared: &Shared,
    params: PageParams,
    html: impl Fn(&EntryAt<'_>) -> Option<String> + Clone + Send + 'static,
) -> Result<Option<Page>> {
    let PageParams { place } = params;
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let entry = EntryAt::find(db, file, snapshot.text.offset(place.position))?;
            Some(Page { title: entry.title(), html: html(&entry)? })
        })
        .await?;
    Ok(found.flatten())
}
