//! E0208: bad strides.

use super::words::counted;
use crate::diagnostic::{Diagnostic, Page, Severity};
use std::ops::Range;

/// The page of E0208.
pub(super) static PAGE: Page = Page {
    code: "E0208",
    name: "bad-strides",
    severity: Severity::Error,
    text: r#"A tensor view has one stride for each dimension, and a strided view has one traversal stride for
each dimension. Strides count elements and are at least 1. A stride of a tensor view can also be
`?`, which means that it is known only at run time."#,
    fix: r#"Write one stride for each dimension: the distance in elements between neighbors along it. A
row-major matrix with 8 columns has `strides=[8,1]`."#,
    see: &["E0531", "strides", "traversal_strides", "tensor_view", "dynamic extent"],
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

/// A number of strides that is not the rank.
pub(crate) fn stride_count(range: Range<u32>, rank: usize, count: usize) -> Diagnostic {
    let strides = counted(rank as i64, "stride");
    Diagnostic::new(&PAGE, range, format!("expected {strides}, one for each dimension, found {count}"))
}

/// A stride less than 1.
pub(crate) fn stride_not_positive(range: Range<u32>, stride: i64) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("a stride must be at least 1, found {stride}"))
}
