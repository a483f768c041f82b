//! `textDocument/references`

use crate::shared::Shared;
use tile_analysis::ide::references;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Location, ReferenceParams};

pub(crate) async fn handle(shared: &Shared, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let place = params.text_document_position;
    let with_definition = params.context.include_declaration;
    shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let found = references::references(db, file, snapshot.text.offset(place.position));
            let wanted = found.into_iter().filter(|found| with_definition || !found.is_definition);
            wanted.map(|found| Location::new(snapshot.uri.clone(), snapshot.text.range(&found.range))).collect()
        })
        .await
}
