//! E0211: view rank.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0211.
pub(super) static PAGE: Page = Page {
    code: "E0211",
    name: "view-rank",
    severity: Severity::Error,
    text: r#"The tile of a view must have the same rank as its tensor, because each dimension of the tile maps
to one dimension of the tensor. The sparse dimension of a gather/scatter view is one of them,
counted from 0."#,
    fix: r#"Give the tile one extent for each dimension of the tensor, with 1 for dimensions that it should not
cover. `reshape` removes these dimensions from a loaded tile."#,
    see: &["E0209", "partition_view", "sparse_dim", "reshape"],
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

/// A tile whose rank differs from that of its tensor.
pub(crate) fn view_rank(range: Range<u32>, tile: usize, tensor: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the tile has rank {tile}, but the tensor has rank {tensor}"))
}

/// A sparse dimension beyond the rank.
pub(crate) fn sparse_dim(range: Range<u32>, dim: i64, rank: usize) -> Diagnostic {
    let message = format!("sparse dimension {dim} is out of range for rank {rank}: dimensions count from 0");
    Diagnostic::new(&PAGE, range, message)
}
