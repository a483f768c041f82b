//! `textDocument/inlineValue`: for a stopped debugger, the values to evaluate and the output of runs, up to the line
//! where it stopped.

use crate::shared::Shared;
use tile_analysis::ide::inline_values;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    InlayHintLabel, InlineValue, InlineValueEvaluatableExpression, InlineValueParams, InlineValueText, Range,
};

pub(crate) async fn handle(shared: &Shared, params: InlineValueParams) -> Result<Option<Vec<InlineValue>>> {
    let uri = params.text_document.uri;
    // Lines after the one where it stopped have not been executed yet.
    let place = params.context.stopped_location;
    let stopped = place.end.line;
    let range = params.range;
    let found = shared
        .answer(&uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let end = text.offset(range.end).min(text.offset(text.line_end(stopped as usize)));
            let names = text.offset(range.start)..end;
            let known = inline_values::inline_values(db, file, &names, text.offset(place.start));
            let expression = |value: inline_values::InlineValue| expression(text.range(&value.range), value.name);
            known.into_iter().map(expression).collect::<Vec<_>>()
        })
        .await?;
    let printed = shared.documents.with(uri.as_str(), |document| {
        let hints = document.run_results.hints(&document.now.text, &range).into_iter();
        let before = hints.filter(|hint| hint.position.line <= stopped);
        let all = before.filter_map(|hint| match hint.label {
            InlayHintLabel::String(label) => Some(text(Range { start: hint.position, end: hint.position }, label)),
            InlayHintLabel::LabelParts(_) => None,
        });
        all.collect::<Vec<_>>()
    });
    Ok(found.map(|found| found.into_iter().chain(printed.unwrap_or_default()).collect()))
}

/// A value that the debugger evaluates.
fn expression(range: Range, name: String) -> InlineValue {
    InlineValue::EvaluatableExpression(InlineValueEvaluatableExpression { range, expression: Some(name) })
}

fn text(range: Range, text: String) -> InlineValue {
    InlineValue::Text(InlineValueText { range, text })
}
