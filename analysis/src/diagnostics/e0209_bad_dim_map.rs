//! E0209: bad dim map.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0209.
pub(super) static PAGE: Page = Page {
    code: "E0209",
    name: "bad-dim-map",
    severity: Severity::Error,
    text: r#"A `dim_map` is not a permutation. It says along which dimension of the tensor each dimension of the
tile lies, so it contains each dimension exactly once."#,
    fix: "List each dimension once: `dim_map=[0, 1]` keeps the order, `dim_map=[1, 0]` transposes.",
    see: &["E0211", "E0504", "dim_map"],
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

/// A map that is not a permutation.
pub(crate) fn bad_dim_map(range: Range<u32>, why: &str) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("`dim_map` must name every dimension once: {why}"))
}
