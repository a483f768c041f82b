//! Inlay hints of runs.

use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, MarkupContent, MarkupKind, Position};

/// A text in Markdown as it is, even if it contains backticks.
pub(super) fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// A hint after a line, with a tooltip that is shown as it is.
pub(super) fn hint(position: Position, label: String, tooltip: Option<String>) -> InlayHint {
    let markdown = |text: String| MarkupContent { kind: MarkupKind::Markdown, value: fenced(&text) };
    InlayHint {
        position,
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: tooltip.map(|text| InlayHintTooltip::MarkupContent(markdown(text))),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
