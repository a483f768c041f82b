//! E0533: index count.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0533.
pub(super) static PAGE: Page = Page {
    code: "E0533",
    name: "index-count",
    severity: Severity::Error,
    text: r#"An index has one entry for each dimension."#,
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

/// More or fewer indices than dimensions.
pub(crate) fn index_count(range: Range<u32>, op: &str, rank: usize, count: usize) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("`{op}` takes one index for each of {rank} dimensions, but {count} are given"),
    )
}

/// More or fewer promises than dimensions.
pub(crate) fn inbounds_count(range: Range<u32>, op: &str, rank: usize, count: usize) -> Diagnostic {
    let message = format!("`inbounds` of `{op}` has one entry for each of {rank} dimensions, but {count} are given");
    Diagnostic::new(&PAGE, range, message)
}
