//! `textDocument/hover`

use super::{access, live_tiles};
use crate::shared::Shared;
use tile_analysis::ide::hover;
use tile_launch::editor;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

pub(crate) async fn handle(shared: &Shared, params: HoverParams) -> Result<Option<Hover>> {
    let place = params.text_document_position_params;
    let markdown = shared.session().markdown;
    let gpu = shared.settings().chosen_gpu();
    let found = shared
        .answer(&place.text_document.uri, move |db, file, snapshot| {
            let offset = snapshot.text.offset(place.position);
            let (range, text) = match editor::hover(db, file, offset, tile_backend::findings()) {
                Some(shown) => (shown.range, shown.text),
                None => hover::hover(db, file, offset).map(|found| (found.range, found.text))?,
            };
            let text = match access::hover(db, file, offset) {
                Some(access) => format!("{access}\n---\n\n{text}"),
                None => text + &live_tiles::summary(db, file, offset, gpu.map(|gpu| gpu.name())).unwrap_or_default(),
            };
            let contents = HoverContents::Markup(contents(text, markdown));
            Some(Hover { contents, range: Some(snapshot.text.range(&range)) })
        })
        .await?;
    Ok(found.flatten())
}

fn contents(text: String, markdown: bool) -> MarkupContent {
    if markdown {
        return MarkupContent { kind: MarkupKind::Markdown, value: text };
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("```")).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: lines.join("\n").replace("**", "") }
}
