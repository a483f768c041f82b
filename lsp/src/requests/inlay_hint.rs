//! `textDocument/inlayHint` and `inlayHint/resolve`: facts that the text does not state, and the output of runs next to
//! the lines that printed it. Tooltips are resolved later if the client supports it, since a kernel can print a lot.

use super::live_tiles;
use crate::documents::Snapshot;
use crate::session::Session;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_analysis::db::{Database, File};
use tile_analysis::ide::inlay::{self, Inlay, InlayKind, InlayOptions};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintOptions, InlayHintParams, InlayHintServerCapabilities,
    InlayHintTooltip, MarkupContent, MarkupKind, OneOf, Range, Uri, WorkDoneProgressOptions,
};

/// The capability announced to the client.
pub(crate) fn provider(session: &Session) -> OneOf<bool, InlayHintServerCapabilities> {
    if !session.lazy_tooltips {
        return OneOf::Left(true);
    }
    OneOf::Right(InlayHintServerCapabilities::Options(InlayHintOptions {
        resolve_provider: Some(true),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }))
}

/// Identifies the text of a hint.
#[derive(Serialize, Deserialize)]
struct Origin {
    uri: Uri,
    /// The version of the text.
    version: i32,
}

pub(crate) async fn handle(shared: &Shared, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let is_lazy = shared.session().lazy_tooltips;
    all(shared, params.text_document.uri, params.range, is_lazy).await
}

/// Adds the tooltip. A hint of an outdated text is returned unchanged.
pub(crate) async fn resolve(shared: &Shared, mut hint: InlayHint) -> Result<InlayHint> {
    let origin = hint.data.take().map(serde_json::from_value::<Origin>);
    let Some(Ok(Origin { uri, version })) = origin else { return Ok(hint) };
    let is_current = |snapshot: Snapshot| snapshot.version == version;
    if shared.documents.get(uri.as_str()).is_some_and(is_current) {
        let here = Range { start: hint.position, end: hint.position };
        let found = all(shared, uri, here, false).await?.unwrap_or_default();
        let same =
            |other: &InlayHint| other.position == hint.position && label_text(&other.label) == label_text(&hint.label);
        hint.tooltip = found.into_iter().find(same).and_then(|found| found.tooltip);
    }
    Ok(hint)
}

/// The hints for a range of a document, without tooltips if `is_lazy`.
async fn all(shared: &Shared, uri: Uri, range: Range, is_lazy: bool) -> Result<Option<Vec<InlayHint>>> {
    let settings = shared.settings();
    let (hints, gpu) = (settings.hints, settings.chosen_gpu());
    let options = InlayOptions { tooltips: !is_lazy, ..hints.options };
    let of_text = move |db: &Database, file: File, snapshot: &Snapshot| {
        let mut found = of_text(db, file, snapshot, range, options);
        if hints.live_tiles {
            let visible = snapshot.text.offset(range.start)..snapshot.text.offset(range.end) + 1;
            found.extend(live_tiles::hints(db, file, snapshot, &visible, gpu.map(|gpu| gpu.name())));
        }
        (snapshot.version, found)
    };
    let found = shared.answer(&uri, of_text).await?;
    let of_runs = shared.documents.with(uri.as_str(), |document| {
        if !hints.runs {
            return Vec::new();
        }
        let results = &document.run_results;
        results.profile_hints(&range).into_iter().chain(results.hints(&document.now.text, &range)).collect()
    });
    Ok(found.map(|(version, mut found)| {
        found.extend(of_runs.unwrap_or_default());
        if is_lazy {
            let origin = serde_json::to_value(Origin { uri, version }).ok();
            for hint in &mut found {
                (hint.tooltip, hint.data) = (None, origin.clone());
            }
        }
        found
    }))
}

/// The text of a label. This server sends labels of one part.
fn label_text(label: &InlayHintLabel) -> Option<&str> {
    match label {
        InlayHintLabel::String(text) => Some(text),
        InlayHintLabel::LabelParts(_) => None,
    }
}

fn of_text(db: &Database, file: File, snapshot: &Snapshot, range: Range, options: InlayOptions) -> Vec<InlayHint> {
    let text = &snapshot.text;
    let visible = text.offset(range.start)..text.offset(range.end);
    inlay::inlays(db, file, &visible, options).into_iter().map(|inlay| convert(inlay, snapshot)).collect()
}

fn convert(inlay: Inlay, snapshot: &Snapshot) -> InlayHint {
    let kind = match inlay.kind {
        InlayKind::Type => Some(InlayHintKind::TYPE),
        InlayKind::Parameter => Some(InlayHintKind::PARAMETER),
        InlayKind::IndexSpace | InlayKind::TripCount => None,
    };
    let tooltip = MarkupContent { kind: MarkupKind::Markdown, value: inlay.tooltip };
    InlayHint {
        position: snapshot.text.position(inlay.at),
        label: InlayHintLabel::String(inlay.label),
        kind,
        text_edits: None,
        tooltip: (!tooltip.value.is_empty()).then_some(InlayHintTooltip::MarkupContent(tooltip)),
        padding_left: kind.is_none().then_some(true),
        padding_right: (inlay.kind == InlayKind::Parameter).then_some(true),
        data: None,
    }
}
