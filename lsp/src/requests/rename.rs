//! `textDocument/prepareRename` and `textDocument/rename`

use crate::commands::refused;
use crate::edits::workspace_edit;
use crate::shared::Shared;
use tile_analysis::ide::rename;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};

/// The name to be renamed, or an error if it has a name that cannot be changed.
pub(crate) async fn prepare(
    shared: &Shared,
    place: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let found = rename::prepare(db, file, snapshot.text.offset(place.position))?;
            Ok(found.map(|found| PrepareRenameResponse::RangeWithPlaceholder {
                range: snapshot.text.range(&found.range),
                placeholder: found.name,
            }))
        })
        .await?;
    found.unwrap_or(Ok(None)).map_err(refused)
}

/// The edits, or an error if the new name is not allowed.
pub(crate) async fn handle(shared: &Shared, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
    let place = params.text_document_position;
    let session = shared.session();
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let edits = rename::rename(db, file, snapshot.text.offset(place.position), &params.new_name)?;
            Ok(workspace_edit(&edits, snapshot, &session))
        })
        .await?;
    found.transpose().map_err(refused)
}
