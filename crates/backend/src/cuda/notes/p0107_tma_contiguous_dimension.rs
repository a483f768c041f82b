//! P0107: no TMA without a contiguous dimension.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0107.
pub(super) static PAGE: Page = Page {
    code: "P0107",
    name: "tma-contiguous-dimension",
    severity: Severity::Info,
    text: r#"TMA copies rows of adjacent elements, so one dimension of the tensor view must have the stride 1.
The compiler only looks at the type: a dynamic stride that is 1 at run time does not count. The
access uses ordinary memory instructions instead."#,
    fix: r#"Write the stride of the contiguous dimension as the constant 1 in the type of the tensor view. If
no dimension is contiguous, copy the elements to a tensor with another layout, or load them with
pointers."#,
    see: &["P0101", "P0106", "P0203", "allow_tma"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [4096, 4] : tensor_view<1024x1024xf32, strides=[4096,4]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[4096,4]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[4096,4]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [4096, 4] : tensor_view<1024x1024xf32, strides=[4096,4]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[4096,4]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[4096,4]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
