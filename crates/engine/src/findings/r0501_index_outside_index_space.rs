//! R0501: index outside index space.

use crate::findings::Fault;
use tile_analysis::diagnostic::{Page, Severity};

/// The page of R0501.
pub(crate) static PAGE: Page = Page {
    code: "R0501",
    name: "index-outside-index-space",
    severity: Severity::Error,
    text: r#"A load, a store or an atomic op through a view has an index outside the view's index space, so the
whole tile is outside the tensor. This is undefined; only tiles that are partly outside are allowed.
Indices of partition and strided views count tiles, not elements, and are unsigned, so -1 is
outside. The indices along the sparse dimension of a gather/scatter view count elements; those
outside are padded or skipped, unless all of them are outside."#,
    fix: r#"Use `get_index_space_shape` for the bounds of loops, and launch no more tile blocks than there are
tiles."#,
    see: &["L0005", "R0303", "index space", "get_index_space_shape"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[8] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %four = constant <i32: 4> : tile<i32>
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    %x, %t = load_view_tko weak %w[%four] : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %p = f32[8] zeros
  entry @k(%p: tile<ptr<f32>>) {
    %one = constant <i32: 1> : tile<i32>
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    %x, %t = load_view_tko weak %w[%one] : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}
"#,
};

/// An index that is not below the index space's extent in a dimension, read as signed.
pub(crate) fn fault(dim: usize, index: i64, space: Vec<i64>) -> Box<Fault> {
    with_sign(
        index,
        Fault::new(&PAGE, format!("index {index} in dimension {dim} is outside the index space {space:?}")),
    )
}

/// Indices of the sparse dimension of a gather/scatter view that are all outside; `first` is the first of them.
pub(crate) fn all_outside(dim: usize, first: i64, space: Vec<i64>) -> Box<Fault> {
    let message = format!(
        "every index in dimension {dim} is outside the index space {space:?}, from {first} at element [0] of the index \
         tile on: the whole tile is outside the tensor"
    );
    with_sign(first, Fault::new(&PAGE, message))
}

fn with_sign(index: i64, fault: Box<Fault>) -> Box<Fault> {
    if index < 0 { fault.note("indices are unsigned, so a negative one is very large") } else { fault }
}
