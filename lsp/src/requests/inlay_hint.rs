//! `textDocument/inlayHint`: what runs have printed, beside the lines that printed it.

use crate::server::Shared;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlayHint, InlayHintParams};

pub(crate) fn handle(shared: &Shared, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    Ok(shared.documents.with(params.text_document.uri.as_str(), |document| {
        document.remembered.hints(&document.now.text, &params.range)
    }))
}
