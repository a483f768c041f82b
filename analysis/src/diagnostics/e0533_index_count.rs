//! E0533: index count.

use super::words::entries;
use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0533.
pub(super) static PAGE: Page = Page {
    code: "E0533",
    name: "index-count",
    severity: Severity::Error,
    text: r#"An access through a view takes one index for each dimension of its tile, and so do `extract` and
`insert` for each dimension of the tile that they divide. The list `inbounds` also has one entry for
each dimension."#,
    fix: r#"Write one index for each dimension. Along a dimension with a single tile or slice, the index is a
constant 0."#,
    see: &["E0534", "index space", "load_view_tko", "extract", "inbounds"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %k = load_view_tko weak %w[%i] : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %k = load_view_tko weak %w[%i, %i] : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  }
}
"#,
};

/// A number of indices that is not the rank. `shape` is the range and type of the indexed value, `list` the range of
/// the indices.
pub(crate) fn index_count(
    range: Range<u32>,
    list: Option<Range<u32>>,
    op: &str,
    (rank, count): (usize, usize),
    shape: (Range<u32>, Type),
) -> Diagnostic {
    let indices = if rank == 1 { "1 index".to_string() } else { format!("{rank} indices") };
    let message = format!("`{op}` expects {indices}, one for each dimension, found {count}");
    let mut found = Diagnostic::new(&PAGE, range.clone(), message);
    if range != shape.0 && !shape.0.is_empty() {
        found = found.label(shape.0, format!("has rank {rank}"));
    } else {
        found = found.note(format!("`{}` has rank {rank}", shape.1));
    }
    match list.filter(|list| *list != range) {
        Some(list) => found.label(list, "the indices"),
        None => found,
    }
}

/// A number of `inbounds` entries that is not the rank.
pub(crate) fn inbounds_count(range: Range<u32>, op: &str, rank: usize, count: usize) -> Diagnostic {
    let message = format!("`inbounds` of `{op}` must have {}, one for each dimension, found {count}", entries(rank));
    Diagnostic::new(&PAGE, range, message)
}
