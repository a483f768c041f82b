//! E0534: index type.

use crate::diagnostic::{Diagnostic, Page, Severity};
use crate::types::Type;
use std::ops::Range;

/// The page of E0534.
pub(super) static PAGE: Page = Page {
    code: "E0534",
    name: "index-type",
    severity: Severity::Error,
    text: r#"The indices of a view are scalars that all have the same integer type, and so are the values for `?`
in `make_tensor_view`. The exception is the sparse dimension of a gather/scatter view: its index is
a tile of rank 1 with one row number for each row of the tile."#,
    fix: r#"Convert the indices to one type with `exti` or `trunci`. For the sparse dimension, use a tile with
as many elements as the tile of the view has rows."#,
    see: &["E0533", "index space", "gather_scatter_view", "sparse_dim", "exti"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
    %i = constant <i32: 0> : tile<i32>
    %j = constant <i64: 0> : tile<i64>
    %t, %k = load_view_tko weak %w[%i, %j] : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>, tile<i64> -> tile<4x4xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
    %w = make_partition_view %v : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %k = load_view_tko weak %w[%i, %i] : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>, tile<i32> -> tile<4x4xf32>, token
  }
}
"#,
};

/// An index that is not a scalar.
pub(crate) fn index_scalar(range: Range<u32>, dim: usize, ty: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("the index of dimension {dim} must be a scalar, found `{ty}`"))
}

/// Indices of different types.
pub(crate) fn index_types(range: Range<u32>, first: Type, other: Type) -> Diagnostic {
    Diagnostic::new(&PAGE, range, format!("all indices must have the same type, found `{first}` and `{other}`"))
}

/// A tile of row numbers whose length is not that of the sparse dimension.
pub(crate) fn sparse_index(range: Range<u32>, ty: Type, rows: i64) -> Diagnostic {
    Diagnostic::new(
        &PAGE,
        range,
        format!("the index of the sparse dimension must be a tile of {rows} row numbers, found `{ty}`"),
    )
}
