//! `textDocument/completion` and `completionItem/resolve`

use crate::server::Shared;
use serde_json::json;
use tile_analysis::ide::completion::{self, Completion, CompletionKind};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, CompletionTextEdit, Documentation,
    MarkupContent, MarkupKind, Range, TextEdit,
};

pub(crate) async fn handle(shared: &Shared, params: CompletionParams) -> Result<Option<CompletionResponse>> {
    let place = params.text_document_position;
    shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let found = completion::completions(db, file, snapshot.text.offset(place.position));
            let range = snapshot.text.range(&found.replaced);
            let items = found.items.into_iter().enumerate();
            CompletionResponse::Array(items.map(|(rank, item)| convert(rank, item, range)).collect())
        })
        .await
}

/// Adds the documentation of an op.
pub(crate) fn resolve(mut item: CompletionItem) -> CompletionItem {
    let op = item.data.as_ref().and_then(|data| data["op"].as_str());
    item.documentation = op
        .and_then(completion::documentation)
        .map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    item
}

fn convert(rank: usize, item: Completion, range: Range) -> CompletionItem {
    CompletionItem {
        kind: Some(kind(item.kind)),
        // Editors sort by this; values come in an order that means something.
        sort_text: (item.kind == CompletionKind::Value).then(|| format!("{rank:05}")),
        data: (item.kind == CompletionKind::Op).then(|| json!({ "op": item.label })),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, item.label.clone()))),
        detail: (!item.detail.is_empty()).then_some(item.detail),
        label: item.label,
        ..CompletionItem::default()
    }
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Op => CompletionItemKind::FUNCTION,
        CompletionKind::Value => CompletionItemKind::VARIABLE,
        CompletionKind::Global => CompletionItemKind::CONSTANT,
        CompletionKind::Type => CompletionItemKind::CLASS,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
    }
}
