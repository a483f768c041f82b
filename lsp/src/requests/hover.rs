//! `textDocument/hover`

use super::last_run::Place;
use super::live_tiles;
use crate::shared::Shared;
use std::ops::Range;
use tile_analysis::db::{File, Queries};
use tile_analysis::ide::hover;
use tile_launch::editor;
use tile_runner::access;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range as PositionRange};

pub(crate) async fn handle(shared: &Shared, params: HoverParams) -> Result<Option<Hover>> {
    let place = params.text_document_position_params;
    let markdown = shared.session().markdown;
    let gpu = shared.settings().chosen_gpu();
    let uri = &place.text_document.uri;
    let found = shared
        .answer(uri, move |db, file, snapshot| {
            let offset = snapshot.text.offset(place.position);
            let known = known(db, file, offset, gpu.map(|gpu| gpu.name()));
            let run = Place::of(db, file, offset, place.position.line as usize, known.is_some());
            let known = known.map(|(range, text)| (snapshot.text.range(&range), text));
            (known, run)
        })
        .await?;
    let Some((known, run)) = found else { return Ok(None) };
    let of_run = shared.documents.with(uri.as_str(), |document| run.show(&document.run_results));
    let (range, text): (Option<PositionRange>, String) =
        known.map_or_else(Default::default, |(range, text)| (Some(range), text));
    let text = of_run.map_or(text.clone(), |of_run| of_run.before + &text + &of_run.after);
    let hover = Hover { contents: HoverContents::Markup(contents(text.clone(), markdown)), range };
    Ok((!text.is_empty()).then_some(hover))
}

/// What is known without a run.
fn known(db: &Queries, file: File, offset: u32, gpu: Option<&str>) -> Option<(Range<u32>, String)> {
    let (range, text) = match editor::hover(db, file, offset, tile_backend::findings()) {
        Some(shown) => (shown.range, shown.text),
        None => hover::hover(db, file, offset).map(|found| (found.range, found.text))?,
    };
    let text = match access::hover(db, file, offset) {
        Some(access) => format!("{access}\n---\n\n{text}"),
        None => text + &live_tiles::summary(db, file, offset, gpu).unwrap_or_default(),
    };
    Some((range, text))
}

fn contents(text: String, markdown: bool) -> MarkupContent {
    if markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: text };
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("```")).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n").replace("**", "") }
}
