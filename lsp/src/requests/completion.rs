//! `textDocument/completion` and `completionItem/resolve`

use crate::session::Session;
use crate::shared::Shared;
use crate::text::Text;
use serde_json::json;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::completion::{self, Completion, CompletionKind, Completions};
use tile_launch::editor;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionParams, CompletionResponse,
    CompletionTextEdit, Documentation, InsertTextFormat, MarkupContent, MarkupKind, Range, TextEdit,
};

/// The number of characters in a row of VS Code's list. If a row is longer, the label is cut too.
const ROW: usize = 50;

/// The number of characters of a description that are shown next to a long label.
const MIN_DESCRIPTION: usize = 12;

pub(crate) async fn handle(shared: &Shared, params: CompletionParams) -> Result<Option<CompletionResponse>> {
    let place = params.text_document_position;
    let session = shared.session();
    let typed = params.context.and_then(|context| context.trigger_character);
    shared
        .answer_while_typing(&place.text_document.uri, move |db, file, snapshot| {
            let offset = snapshot.text.offset(place.position);
            let is_asked = typed.as_deref() != Some(" ") || expects_types(file.text(db), offset);
            let found = if is_asked { found(db, file, offset) } else { Completions::default() };
            let range = snapshot.text.range(&found.replaced);
            let items = found.items.into_iter().enumerate();
            CompletionResponse::Array(
                items.map(|(rank, item)| convert(rank, item, range, &snapshot.text, &session)).collect(),
            )
        })
        .await
}

/// Whether a blank at an offset follows the mark that types begin with. After other blanks, nobody waits for a list.
fn expects_types(text: &str, offset: u32) -> bool {
    let before = text.get(..offset as usize).unwrap_or_default();
    before.ends_with(": ") || before.ends_with("-> ")
}

/// The completions in a launch directive, or elsewhere.
fn found(db: &Database, file: File, offset: u32) -> Completions {
    let Some((replaced, items)) = editor::completions(db, file, offset, tile_backend::findings()) else {
        return completion::completions(db, file, offset);
    };
    let items = items.into_iter().map(|item| Completion {
        label: item.label,
        kind: CompletionKind::Keyword,
        detail: item.detail,
        snippet: Some(item.snippet),
        insertion: None,
        topic: item.topic,
        needs_values: false,
    });
    Completions { replaced, items: items.collect() }
}

/// Adds the documentation of an op or a keyword.
pub(crate) fn resolve(mut item: CompletionItem) -> CompletionItem {
    let named = |kind: &str| item.data.as_ref().and_then(|data| data[kind].as_str());
    let page = named("op").and_then(completion::documentation).or_else(|| named("topic").and_then(page));
    item.documentation =
        page.map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    item
}

/// The page of the topic with this key.
fn page(key: &str) -> Option<String> {
    tile_backend::topics().into_iter().find(|topic| topic.key() == key).map(|topic| topic.page())
}

fn convert(rank: usize, item: Completion, range: Range, text: &Text, session: &Session) -> CompletionItem {
    let description = session.label_details.then(|| row_description(&item)).flatten();
    let snippet = item.snippet.filter(|_| session.snippets);
    let insertion = item.insertion.filter(|_| snippet.is_some());
    let label_details = description.map(|text| CompletionItemLabelDetails { detail: None, description: Some(text) });
    // The documentation of an op starts with its detail. If the detail is shown next to the name, it need not be
    // repeated above the documentation.
    let is_repeated = label_details.is_some() && item.kind == CompletionKind::Op;
    let detail = Some(item.detail).filter(|detail| !detail.is_empty() && !is_repeated);
    CompletionItem {
        insert_text_format: snippet.is_some().then_some(InsertTextFormat::SNIPPET),
        // The inserted text may begin with the op's results.
        filter_text: snippet.is_some().then(|| item.label.clone()),
        kind: Some(kind(item.kind)),
        // Editors sort by this.
        sort_text: Some(format!("{rank:05}")),
        data: match item.kind {
            CompletionKind::Op => Some(json!({ "op": item.label })),
            _ => item.topic.map(|topic| json!({ "topic": topic })),
        },
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, snippet.unwrap_or_else(|| item.label.clone())))),
        detail,
        additional_text_edits: insertion.map(|(at, names)| vec![TextEdit::new(text.range(&(at..at)), names)]),
        label_details,
        label: item.label,
        ..CompletionItem::default()
    }
}

/// The text next to the label in every row: the type of a value, the summary of an op. Other details are shown only for
/// the selected row.
fn row_description(item: &Completion) -> Option<String> {
    if !matches!(item.kind, CompletionKind::Op | CompletionKind::Value | CompletionKind::Global) {
        return None;
    }
    let room = ROW.saturating_sub(item.label.chars().count()).max(MIN_DESCRIPTION);
    if item.detail.chars().count() <= room {
        return Some(item.detail.clone());
    }
    let start: String = item.detail.chars().take(room - 1).collect();
    Some(format!("{}…", start.trim_end()))
}

fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Op => CompletionItemKind::FUNCTION,
        CompletionKind::Value => CompletionItemKind::VARIABLE,
        CompletionKind::Global => CompletionItemKind::CONSTANT,
        CompletionKind::Type => CompletionItemKind::CLASS,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Hint => CompletionItemKind::PROPERTY,
    }
}
