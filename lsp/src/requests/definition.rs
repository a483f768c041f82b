//! `textDocument/definition`

use crate::server::Shared;
use tile_analysis::ide::definition;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};

pub(crate) async fn handle(shared: &Shared, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    let place = params.text_document_position_params;
    let links = shared.session().links;
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let found = definition::definition(db, file, text.offset(place.position))?;
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
