//! E0208: bad strides.

use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0208.
pub(super) static PAGE: Page = Page {
    code: "E0208",
    name: "bad-strides",
    severity: Severity::Error,
    text: r#"The strides of a view are wrong in number or value. A tensor view has one stride for each dimension,
and a strided view one traversal stride. Strides are counted in elements and are at least 1, or `?`
in a tensor view."#,
    fix: r#"Write one stride for each dimension. The strides of a contiguous row-major matrix with N columns are
`[N,1]`."#,
    see: &["E0204", "E0211", "strides", "traversal_strides"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8]>
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
  }
}
"#,
};

/// More or fewer strides than dimensions.
pub(crate) fn stride_count(range: Range<u32>, rank: usize, count: usize) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("expected {rank} strides, one for each dimension, found {count}"))
}

/// 0 or less.
pub(crate) fn stride_not_positive(range: Range<u32>, stride: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("a stride must be at least 1, found {stride}"))
}
