//! Hovers: documentation, what is known about a value, and what it held in the last run.

use crate::document::Document;
use crate::run::LastRun;
use serde::Serialize;
use std::ops::Range;
use tile_analysis::ide::hover as language;
use tile_engine::findings;
use tile_launch::editor;
use tile_runner::access;

/// A hover.
#[derive(Serialize, Debug)]
pub(crate) struct Hover {
    /// The range that it describes; `null` for a position without a word.
    range: Option<[u32; 2]>,
    /// Markdown.
    text: String,
}

/// The hover at a position.
pub(crate) fn hover(document: &Document, last_run: Option<&LastRun>, at: u32) -> Option<Hover> {
    let offset = document.byte(at);
    let known = known(document, offset);
    let of_run = last_run.and_then(|run| run.held_at(document, offset));
    let range = known.as_ref().map(|(range, _)| document.offsets.range(range));
    let texts: Vec<String> = known.map(|(_, text)| text).into_iter().chain(of_run).collect();
    (!texts.is_empty()).then(|| Hover { range, text: texts.join("\n---\n\n") })
}

/// What is known without a run.
fn known(document: &Document, offset: u32) -> Option<(Range<u32>, String)> {
    let (db, file) = (&document.db, document.file);
    let (range, text) = match editor::hover(db, file, offset, findings::PAGES) {
        Some(shown) => (shown.range, shown.text),
        None => language::hover(db, file, offset).map(|found| (found.range, found.text))?,
    };
    let text = match access::hover(db, file, offset) {
        Some(access) => format!("{access}\n---\n\n{text}"),
        None => text,
    };
    Some((range, text))
}
