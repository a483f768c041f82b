//! `textDocument/inlineCompletion`: the rest of a statement, shown after the cursor.

use crate::shared::Shared;
use tile_analysis::ide::inline_completion::rest_of_statement;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlineCompletionItem, InlineCompletionParams, Range};

pub(crate) async fn handle(
    shared: &Shared,
    params: InlineCompletionParams,
) -> Result<Option<Vec<InlineCompletionItem>>> {
    let place = params.text_document_position;
    // An item that is selected in a list would have to be continued instead.
    if params.context.selected_completion_info.is_some() {
        return Ok(None);
    }
    let at = Range { start: place.position, end: place.position };
    let found = shared
        .answer_while_typing(&place.text_document.uri, move |db, file, snapshot| {
            rest_of_statement(db, file, snapshot.text.offset(place.position))
        })
        .await?;
    let item = |insert_text: String| InlineCompletionItem {
        insert_text,
        filter_text: None,
        range: Some(at),
        command: None,
        insert_text_format: None,
    };
    Ok(found.flatten().map(|rest| vec![item(rest)]))
}
