//! `textDocument/formatting`, `…/rangeFormatting` and `…/onTypeFormatting`

use crate::shared::Shared;
use crate::text::Text;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::indentation;
use tile_fmt::format_range;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingOptions, DocumentOnTypeFormattingParams,
    DocumentRangeFormattingParams, Position, Range, TextEdit, Uri,
};

/// Formats a document. There is one style, so the client's options are ignored.
pub(crate) async fn handle(shared: &Shared, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let edits = shared.answer(&params.text_document.uri, |_, _, snapshot| {
        let before = snapshot.text.rope.to_string();
        edits(&snapshot.text, &before, &tile_fmt::format(&before, &snapshot.project.layout))
    });
    edits.await
}

/// Formats the lines that a range touches, with the statements that begin or end in them.
pub(crate) async fn range(shared: &Shared, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    of_range(shared, &params.text_document.uri, params.range).await
}

/// The capability announced to the client: the end of a region and the end of a line trigger formatting while typing.
pub(crate) fn on_type_options() -> DocumentOnTypeFormattingOptions {
    DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_string(),
        more_trigger_character: Some(vec!["\n".to_string()]),
    }
}

/// Formats the line of the typed brace, or the line that was ended, and indents the line after it.
pub(crate) async fn on_type(shared: &Shared, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let (uri, place) = (&params.text_document_position.text_document.uri, params.text_document_position.position);
    match params.ch.as_str() {
        "\n" if place.line > 0 => {
            let ended = Position::new(place.line - 1, 0);
            shared
                .answer(uri, move |db, file, snapshot| {
                    let before = file.text(db);
                    let (offset, ended) = (snapshot.text.offset(place), snapshot.text.offset(ended) as usize);
                    let indented = indented(db, file, offset);
                    let after = format_range(&indented, ended..ended, &snapshot.project.layout);
                    edits(&snapshot.text, before, &after)
                })
                .await
        }
        "\n" => Ok(None),
        _ => of_range(shared, uri, Range::new(place, place)).await,
    }
}

/// The text with the line at an offset, if it is blank, at the depth of the complete statement before it.
fn indented(db: &Database, file: File, offset: u32) -> String {
    let text = file.text(db);
    let start = text[..offset as usize].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    match indentation::after_statement(db, file, offset) {
        Some(blanks) if line.trim().is_empty() => [&text[..start], &blanks, &text[start + line.len()..]].concat(),
        _ => text.to_string(),
    }
}

async fn of_range(shared: &Shared, uri: &Uri, range: Range) -> Result<Option<Vec<TextEdit>>> {
    shared
        .answer(uri, move |db, file, snapshot| {
            let before = file.text(db);
            let (start, end) = (snapshot.text.offset(range.start) as usize, snapshot.text.offset(range.end) as usize);
            let after = format_range(before, start.min(end)..end.max(start), &snapshot.project.layout);
            edits(&snapshot.text, before, &after)
        })
        .await
}

/// Edits for the lines that differ, so that cursors and markers elsewhere stay in place.
fn edits(text: &Text, before: &str, after: &str) -> Vec<TextEdit> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let same_end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old_rest[..old_rest.len() - same_end], &new_rest[..new_rest.len() - same_end]);
    let mut start = old[..same].iter().map(|line| line.len()).sum::<usize>();
    let mut edits = Vec::new();
    // If the number of lines is the same, each run of changed lines is a separate edit.
    let runs: Vec<(&[&str], &[&str])> = if old_rest.len() == new_rest.len() {
        let pairs: Vec<(&str, &str)> = old_rest.iter().copied().zip(new_rest.iter().copied()).collect();
        let mut at = 0;
        pairs
            .chunk_by(|a, b| (a.0 == a.1) == (b.0 == b.1))
            .map(|run| {
                at += run.len();
                (&old_rest[at - run.len()..at], &new_rest[at - run.len()..at])
            })
            .collect()
    } else {
        vec![(old_rest, new_rest)]
    };
    for (old, new) in runs {
        let end = start + old.iter().map(|line| line.len()).sum::<usize>();
        if old != new {
            edits.push(TextEdit::new(text.range(&(start as u32..end as u32)), new.concat()));
        }
        start = end;
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Encoding;
    use tower_lsp::ls_types::TextDocumentContentChangeEvent;

    #[track_caller]
    fn check(before: &str, after: &str, count: usize) {
        let mut text = Text::new(before, Encoding::Utf16);
        let edits = edits(&text, before, after);
        assert_eq!(edits.len(), count, "{edits:?}");
        for edit in edits.into_iter().rev() {
            let range = Some(edit.range);
            text.apply(&TextDocumentContentChangeEvent { range, range_length: None, text: edit.new_text });
        }
        assert_eq!(text.rope.to_string(), after);
    }

    #[test]
    fn only_changed_lines_are_edited() {
        check("a\nb\nc\n", "a\nb\nc\n", 0);
        check("a\n b\nc\n d\ne", "a\nb\nc\nd\ne", 2);
        check("a\nb\nc\n", "a\nx\ny\nc\n", 1);
        check("a\nb\nc", "a\nc\n", 1);
        check("", "a\n", 1);
        check("a\n\n\n", "a\n", 1);
    }
}
