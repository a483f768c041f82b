//! E0211: view rank.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0211.
pub(super) static PAGE: Page = Page {
    code: "E0211",
    name: "view-rank",
    severity: Severity::Error,
    text: r#"The ranks of a view and its tensor do not match. The tile of a view has the rank of its tensor, and
the sparse dimension of a gather/scatter view is one of its dimensions."#,
    fix: r#"Give the tile as many extents as the tensor has dimensions; use 1 for dimensions that it does not
extend along."#,
    see: &["E0209", "E0533", "partition_view", "sparse_dim"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8x8xf32, strides=[8,1]>>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
  }
}
"#,
};

/// A tile of another rank than its tensor.
pub(crate) fn view_rank(range: Range<u32>, tile: usize, tensor: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the tile has rank {tile}, but the tensor has rank {tensor}"))
}

/// A sparse dimension that the tile lacks.
pub(crate) fn sparse_dim(range: Range<u32>, dim: i64, rank: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("dimension {dim} is out of range for rank {rank}: dimensions count from 0"))
}
