//! `textDocument/selectionRange`

use crate::shared::Shared;
use crate::text::Text;
use std::ops::Range;
use tile_analysis::ide::selection;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{SelectionRange, SelectionRangeParams};

pub(crate) async fn handle(shared: &Shared, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let text = &snapshot.text;
            let chains = params.positions.iter().map(|position| {
                let ranges = selection::selections(db, file, text.offset(*position));
                chain(&ranges, text)
            });
            chains.collect()
        })
        .await
}

/// Links each range to the next larger one as its parent.
fn chain(ranges: &[Range<u32>], text: &Text) -> SelectionRange {
    let outermost = SelectionRange { range: text.range(&(0..text.rope.len_bytes() as u32)), parent: None };
    let inner = ranges.iter().rev().skip(1);
    inner.fold(outermost, |parent, range| SelectionRange { range: text.range(range), parent: Some(Box::new(parent)) })
}
