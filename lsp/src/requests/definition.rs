//! `textDocument/definition`, `textDocument/declaration` and `textDocument/typeDefinition`

use crate::shared::Shared;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::definition::{self, Definition};
use tile_analysis::ide::type_definition;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};

/// Goes to a definition, which is the declaration too.
pub(crate) async fn handle(shared: &Shared, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    find(shared, params, |db, file, offset| definition::definition(db, file, offset)).await
}

/// Goes to the definition of a type alias.
pub(crate) async fn of_type(shared: &Shared, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    find(shared, params, |db, file, offset| type_definition::type_definition(db, file, offset)).await
}

async fn find(
    shared: &Shared,
    params: GotoDefinitionParams,
    search: fn(&Database, File, u32) -> Option<Definition>,
) -> Result<Option<GotoDefinitionResponse>> {
    let place = params.text_document_position_params;
    let links = shared.session().links;
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let found = search(db, file, text.offset(place.position))?;
            if !links {
                let location = Location::new(snapshot.uri.clone(), text.range(&found.name));
                return Some(GotoDefinitionResponse::Scalar(location));
            }
            Some(GotoDefinitionResponse::Link(vec![LocationLink {
                origin_selection_range: Some(text.range(&found.origin)),
                target_uri: snapshot.uri.clone(),
                target_range: text.range(&found.full),
                target_selection_range: text.range(&found.name),
            }]))
        })
        .await?;
    Ok(found.flatten())
}
