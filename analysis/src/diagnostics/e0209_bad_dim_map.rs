//! E0209: bad dim map.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0209.
pub(super) static PAGE: Page = Page {
    code: "E0209",
    name: "bad-dim-map",
    severity: Severity::Error,
    text: r#"`dim_map` maps each dimension of the tile to a dimension of the tensor. Every dimension of the
tensor therefore occurs exactly once."#,
    fix: r#"List the dimensions from 0 to the rank minus 1, each once. `dim_map=[1, 0]` transposes a tile of
rank 2. Omit `dim_map` if the tile and the tensor have the same order."#,
    see: &["E0211", "E0503", "dim_map", "partition_view"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[0, 0]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>
  }
}
"#,
};

/// A map that is not a permutation; `why` says what is wrong with it.
pub(crate) fn bad_dim_map(range: Range<u32>, why: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`dim_map` must list every dimension once: {why}"))
}
