//! E0533: index count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0533.
pub(super) static PAGE: Page = Page {
    code: "E0533",
    name: "index-count",
    severity: Severity::Error,
    text: r#"The number of indices is wrong. A view, or a tile that is sliced, needs one index for each of its
dimensions."#,
    fix: "Write one index for each dimension; use a constant 0 for dimensions with a single tile.",
    see: &["E0534", "E0505", "index space", "load_view_tko"],
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

/// More or fewer indices than dimensions. `shape` is what has them, and `list` is where the indices are.
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

/// More or fewer promises than dimensions.
pub(crate) fn inbounds_count(range: Range<u32>, op: &str, rank: usize, count: usize) -> Diagnostic {
    let message = format!("`inbounds` of `{op}` expects {rank} entries, one for each dimension, found {count}");
    Diagnostic::new(&PAGE, range, message)
}
