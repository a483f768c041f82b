//! `textDocument/inlayHint`: what the text does not say, and what runs have printed, beside the lines that printed it.

use crate::server::Shared;
use crate::text::Text;
use tile_analysis::ide::inlay::{self, Inlay, InlayKind};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, InlayHintTooltip, MarkupContent, MarkupKind,
};

pub(crate) async fn handle(shared: &Shared, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let uri = params.text_document.uri;
    let hints = shared.settings().hints;
    let range = params.range;
    let found = shared
        .answer(&uri, move |db, file, snapshot| {
            let visible = snapshot.text.offset(range.start)..snapshot.text.offset(range.end);
            let found = inlay::inlays(db, file, &visible, hints.wanted).into_iter();
            found.map(|inlay| convert(inlay, &snapshot.text)).collect::<Vec<_>>()
        })
        .await?;
    let of_runs = shared.documents.with(uri.as_str(), |document| match hints.runs {
        true => document.remembered.hints(&document.now.text, &range),
        false => Vec::new(),
    });
    Ok(found.map(|mut found| {
        found.extend(of_runs.unwrap_or_default());
        found
    }))
}

fn convert(inlay: Inlay, text: &Text) -> InlayHint {
    let kind = match inlay.kind {
        InlayKind::Type => Some(InlayHintKind::TYPE),
        InlayKind::Parameter => Some(InlayHintKind::PARAMETER),
        InlayKind::IndexSpace | InlayKind::Rounds => None,
    };
    let tooltip = MarkupContent { kind: MarkupKind::Markdown, value: inlay.tooltip };
    InlayHint {
        position: text.position(inlay.at),
        label: InlayHintLabel::String(inlay.label),
        kind,
        text_edits: None,
        tooltip: (!tooltip.value.is_empty()).then_some(InlayHintTooltip::MarkupContent(tooltip)),
        padding_left: kind.is_none().then_some(true),
        padding_right: (inlay.kind == InlayKind::Parameter).then_some(true),
        data: None,
    }
}
