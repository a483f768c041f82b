//! `textDocument/documentSymbol`: the symbols of the program, with the launches of each entry before it.

use crate::documents::Snapshot;
use crate::shared::Shared;
use std::collections::HashMap;
use tile_analysis::ide::symbols::{self, Symbol};
use tile_launch::Launch;
use tile_launch::find::{self, EntryLaunches};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Location, Range, SymbolInformation, SymbolKind,
};

pub(crate) async fn handle(shared: &Shared, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
    let (nested, prepared) = (shared.session().nested_symbols, shared.prepared.clone());
    let symbols = shared.answer(&params.text_document.uri, move |db, file, snapshot| {
        let launches = find::find(db, file).into_iter().map(|entry| (entry.name.start, entry)).collect();
        let symbols = nest(symbols::symbols(db, file), &launches, snapshot);
        // Of either form: a placeholder is replaced as a whole.
        let in_place = |mark| {
            let symbol = document_symbol(mark, None, SymbolKind::FILE, [Range::default(); 2], Vec::new());
            DocumentSymbolResponse::Nested(vec![symbol])
        };
        if nested {
            return prepared.keep(&symbols, in_place);
        }
        let mut flat = Vec::new();
        flatten_nested(symbols, None, snapshot, &mut flat);
        prepared.keep(&flat, in_place)
    });
    symbols.await
}

/// Entries with their launches, by the start of their names.
type Launches = HashMap<u32, EntryLaunches>;

/// Converts symbols. The launches of an entry precede it: a child would be outside the range of its parent.
fn nest(symbols: Vec<Symbol>, launches: &Launches, snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    let with_launches = |symbol: Symbol| {
        let entry = launches.get(&symbol.selection.start).filter(|_| symbol.kind == symbols::SymbolKind::Entry);
        let of_entry = entry.map(|entry| of_launches(entry, snapshot));
        of_entry.into_iter().flatten().chain([convert(symbol, launches, snapshot)])
    };
    symbols.into_iter().flat_map(with_launches).collect()
}

fn convert(symbol: Symbol, launches: &Launches, snapshot: &Snapshot) -> DocumentSymbol {
    let [range, selection] = [&symbol.range, &symbol.selection].map(|range| snapshot.text.range(range));
    let children = nest(symbol.children, launches, snapshot);
    let detail = (!symbol.detail.is_empty()).then_some(symbol.detail);
    document_symbol(symbol.name, detail, kind(symbol.kind), [range, selection], children)
}

/// The launches of an entry, with their grids.
fn of_launches(entry: &EntryLaunches, snapshot: &Snapshot) -> Vec<DocumentSymbol> {
    let launches = &entry.directives.launches;
    let of_launch = |(index, launch): (usize, &Launch)| {
        let name = tile_launch::name_of(launches, index).map(|name| name + " ").unwrap_or_default();
        let range = snapshot.text.range(&(launch.range.start as u32..launch.range.end as u32));
        let selection = snapshot.rest_of_line(launch.range.start as u32);
        let end = range.end.max(selection.end);
        let detail = Some(launch.grid.map(|blocks| blocks.to_string()).join("×"));
        let name = format!("launch {name}of @{}", entry.entry.name);
        document_symbol(name, detail, SymbolKind::EVENT, [Range { end, ..range }, selection], Vec::new())
    };
    launches.iter().enumerate().map(of_launch).collect()
}

#[expect(deprecated, reason = "the type has a deprecated field")]
fn document_symbol(
    name: String,
    detail: Option<String>,
    kind: SymbolKind,
    [range, selection_range]: [Range; 2],
    children: Vec<DocumentSymbol>,
) -> DocumentSymbol {
    let children = (!children.is_empty()).then_some(children);
    DocumentSymbol { name, detail, kind, tags: None, deprecated: None, range, selection_range, children }
}

/// Lists nested symbols depth first, each with the name of its container.
#[expect(deprecated, reason = "the type has a deprecated field")]
fn flatten_nested(
    symbols: Vec<DocumentSymbol>,
    container: Option<&str>,
    snapshot: &Snapshot,
    out: &mut Vec<SymbolInformation>,
) {
    for symbol in symbols {
        out.push(SymbolInformation {
            name: symbol.name.clone(),
            kind: symbol.kind,
            tags: None,
            deprecated: None,
            location: Location::new(snapshot.uri.clone(), symbol.range),
            container_name: container.map(str::to_string),
        });
        flatten_nested(symbol.children.unwrap_or_default(), Some(&symbol.name), snapshot, out);
    }
}

/// Lists the symbols of the program depth first, without launches.
pub(super) fn flatten(symbols: Vec<Symbol>, snapshot: &Snapshot, out: &mut Vec<SymbolInformation>) {
    flatten_nested(nest(symbols, &Launches::default(), snapshot), None, snapshot, out);
}

fn kind(kind: symbols::SymbolKind) -> SymbolKind {
    match kind {
        symbols::SymbolKind::Module => SymbolKind::MODULE,
        symbols::SymbolKind::Entry | symbols::SymbolKind::Function => SymbolKind::FUNCTION,
        symbols::SymbolKind::Global => SymbolKind::VARIABLE,
        symbols::SymbolKind::Alias => SymbolKind::TYPE_PARAMETER,
    }
}
