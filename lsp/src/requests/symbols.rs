//! `textDocument/documentSymbol`

use crate::documents::Snapshot;
use crate::shared::Shared;
use tile_analysis::ide::symbols::{self, Symbol};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
};

pub(crate) async fn handle(shared: &Shared, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
    let nested = shared.session().nested_symbols;
    let symbols = shared.answer(&params.text_document.uri, move |db, file, snapshot| {
        let found = symbols::symbols(db, file);
        if nested {
            let nested = found.into_iter().map(|each| convert(each, snapshot));
            return DocumentSymbolResponse::Nested(nested.collect());
        }
        let mut flat = Vec::new();
        flatten(&found, None, snapshot, &mut flat);
        DocumentSymbolResponse::Flat(flat)
    });
    symbols.await
}

#[expect(deprecated, reason = "the type has a deprecated field")]
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

/// Lists symbols depth first, each with the name of its container.
#[expect(deprecated, reason = "the type has a deprecated field")]
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
