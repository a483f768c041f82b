//! `textDocument/documentSymbol`

use crate::documents::Snapshot;
use crate::shared::Shared;
use tile_analysis::ide::symbols::{self, Symbol};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, Range, SymbolInformation, SymbolKind,
};

pub(crate) async fn handle(shared: &Shared, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
    let nested = shared.session().nested_symbols;
    let text = shared
        .answer_apart(
            &params.text_document.uri,
            |db, file| symbols::symbols(db, file),
            move |found, snapshot| {
                if nested {
                    let converted: Vec<DocumentSymbol> =
                        found.into_iter().map(|each| convert(each, snapshot)).collect();
                    return serde_json::to_vec(&converted);
                }
                let mut flat = Vec::new();
                flatten(&found, None, snapshot, &mut flat);
                serde_json::to_vec(&flat)
            },
        )
        .await?;
    let Some(text) = text else { return Ok(None) };
    let text = text.map_err(|_| Error::internal_error())?;
    Ok(Some(shared.prepared.keep_as(vec![text], placeholder)))
}

/// An answer that holds a mark.
#[expect(deprecated, reason = "the type has a field that the protocol has given up")]
fn placeholder(mark: String) -> DocumentSymbolResponse {
    let (kind, range) = (SymbolKind::FILE, Range::default());
    let (detail, tags, deprecated, children) = (None, None, None, None);
    let symbol = DocumentSymbol { name: mark, detail, kind, tags, deprecated, range, selection_range: range, children };
    DocumentSymbolResponse::Nested(vec![symbol])
}

#[expect(deprecated, reason = "the type has a field that the protocol has given up")]
fn convert(symbol: Symbol, snapshot: &Snapshot) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> = symbol.children.into_iter().map(|child| convert(child, snapshot)).collect();
    DocumentSymbol {
        name: symbol.name,
        detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: snapshot.text.range(&symbol.range),
        selection_range: snapshot.text.range(&symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

/// Symbols one after the other, each with the name of what holds it.
#[expect(deprecated, reason = "the type has a field that the protocol has given up")]
pub(super) fn flatten(
    symbols: &[Symbol],
    container: Option<&str>,
    snapshot: &Snapshot,
    out: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        out.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location::new(snapshot.uri.clone(), snapshot.text.range(&symbol.range)),
            container_name: container.map(str::to_string),
        });
        flatten(&symbol.children, Some(&symbol.name), snapshot, out);
    }
}

fn kind(kind: symbols::SymbolKind) -> SymbolKind {
    match kind {
        symbols::SymbolKind::Module => SymbolKind::MODULE,
        symbols::SymbolKind::Entry | symbols::SymbolKind::Function => SymbolKind::FUNCTION,
        symbols::SymbolKind::Global => SymbolKind::VARIABLE,
        symbols::SymbolKind::Alias => SymbolKind::TYPE_PARAMETER,
    }
}
