//! Completions, and the documentation of a selected one.

use crate::document::Document;
use serde::Serialize;
use tile_analysis::ide::completion::{self, Completion, CompletionKind};
use tile_analysis::ide::doc;
use tile_engine::findings;
use tile_launch::{editor, words};

/// The completions at a position, likeliest first.
#[derive(Serialize, Debug)]
pub(crate) struct Completions {
    /// The range that a completion replaces.
    range: [u32; 2],
    items: Vec<Item>,
}

/// A completion.
#[derive(Serialize, Debug)]
struct Item {
    label: String,
    kind: &'static str,
    detail: String,
    /// The inserted text, with placeholders such as `${1:%a}`, if it is not the label.
    snippet: Option<String>,
    /// Text that is inserted elsewhere too, with its position.
    insertion: Option<(u32, String)>,
    /// The key of its documentation, if it has any.
    topic: Option<String>,
}

pub(crate) fn completions(document: &Document, at: u32) -> Completions {
    let (db, file, offset) = (&document.db, document.file, document.byte(at));
    let offsets = &document.offsets;
    if let Some((range, items)) = editor::completions(db, file, offset, findings::PAGES) {
        let items = items.into_iter().map(|item| Item {
            label: item.label,
            kind: "keyword",
            detail: item.detail,
            snippet: Some(item.snippet),
            insertion: None,
            topic: item.topic,
        });
        return Completions { range: offsets.range(&range), items: items.collect() };
    }
    let found = completion::completions(db, file, offset);
    let item = |item: Completion| Item {
        label: item.label,
        kind: kind(item.kind),
        detail: item.detail,
        snippet: item.snippet,
        insertion: item.insertion.map(|(at, text)| (offsets.units(at), text)),
        topic: item.topic,
    };
    Completions { range: offsets.range(&found.replaced), items: found.items.into_iter().map(item).collect() }
}

/// The page of an op or a topic, in Markdown.
pub(crate) fn documentation(op: Option<&str>, topic: Option<&str>) -> Option<String> {
    if let Some(page) = op.and_then(completion::documentation) {
        return Some(page);
    }
    let topics = doc::language().into_iter().chain(words::topics());
    topics.into_iter().find(|known| Some(known.key().as_str()) == topic).map(|topic| topic.page())
}

/// The kinds of CodeMirror.
fn kind(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Op => "function",
        CompletionKind::Value => "variable",
        CompletionKind::Global => "constant",
        CompletionKind::Type => "type",
        CompletionKind::Keyword => "keyword",
        CompletionKind::Hint => "property",
    }
}
