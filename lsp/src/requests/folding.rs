//! `textDocument/foldingRange`

use crate::shared::Shared;
use tile_analysis::ide::folding;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

pub(crate) async fn handle(shared: &Shared, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
    shared
        .answer(&params.text_document.uri, |db, file, snapshot| {
            let folds = folding::folds(db, file).into_iter().map(|fold| {
                let range = snapshot.text.range(&fold.range);
                FoldingRange {
                    start_line: range.start.line,
                    end_line: range.end.line,
                    kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
                    ..FoldingRange::default()
                }
            });
            folds.collect()
        })
        .await
}
