//! R0303: inbounds violated.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0303.
pub(crate) static PAGE: Page = Page {
    code: "R0303",
    name: "inbounds-violated",
    severity: Severity::Error,
    text: r#"A load or a store through a view guarantees with `inbounds` that the tile is inside the tensor along
a dimension, but a part of it is outside. The guarantee removes the bounds check, so on a GPU the op
accesses memory outside of the tensor."#,
    fix: r#"Only use `inbounds` along dimensions whose extent is a multiple of the tile's. Write `false` for the
others: then elements outside are padded or not stored."#,
    see: &["R0302", "R0501", "inbounds"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[6] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %one = constant <i32: 1> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>
    %x, %t = load_view_tko weak %w[%one] inbounds = [true] : partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[6] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %one = constant <i32: 1> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf32, strides=[1]>>
    %x, %t = load_view_tko weak %w[%one] inbounds = [false] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}
"#,
};

/// A tile that begins at an element and reaches beyond the extent of the tensor.
pub(crate) fn fault(dim: usize, start: i64, tile: i64, extent: i64) -> Box<Fault> {
    let last = start + tile - 1;
    let message =
        format!("along dimension {dim} the tile covers the elements {start} to {last}, but the tensor has {extent}");
    Fault::new(&PAGE, message)
}

/// An index of the sparse dimension of a gather/scatter view, at a position of the index tile.
pub(crate) fn index_fault(dim: usize, position: usize, index: i64, extent: i64) -> Box<Fault> {
    let message = format!(
        "index {index} at element [{position}] of the indices of dimension {dim} is outside the tensor, which has {extent} there"
    );
    Fault::new(&PAGE, message)
}
