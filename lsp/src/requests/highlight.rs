//! `textDocument/documentHighlight`

use crate::shared::Shared;
use tile_analysis::ide::references;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

pub(crate) async fn handle(shared: &Shared, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
    let place = params.text_document_position_params;
    shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let found = references::references(db, file, snapshot.text.offset(place.position));
            let kind = |is_definition| {
                if is_definition { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }
            };
            let highlights = found.into_iter().map(|found| DocumentHighlight {
                range: snapshot.text.range(&found.range),
                kind: Some(kind(found.is_definition)),
            });
            highlights.collect()
        })
        .await
}
