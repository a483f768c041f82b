//! P0110: no TMA because of the padding value.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0110.
pub(super) static PAGE: Page = Page {
    code: "P0110",
    name: "tma-padding",
    severity: Severity::Info,
    text: r#"TMA fills elements beyond the edge of the tensor with zero. The view asks for another value, and
tiles can reach the edge. 13.4 then never uses TMA; 13.5 replaces the zeros in the loaded tile
itself if that is profitable, which it was not for this tile."#,
    fix: r#"Give the view `padding_value = zero`, and replace the padding afterwards where the program needs
another value. If the extents of the tensor are multiples of the extents of the tile, no padding
is needed: state constant extents."#,
    see: &["P0101", "padding_value", "allow_tma"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1000, 1000], strides = [1024, 1] : tensor_view<1000x1000xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), padding_value = neg_inf, tensor_view<1000x1000xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), padding_value = neg_inf, tensor_view<1000x1000xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1000, 1000], strides = [1024, 1] : tensor_view<1000x1000xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), padding_value = neg_inf, tensor_view<1000x1000xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), padding_value = neg_inf, tensor_view<1000x1000xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1000, 1000], strides = [1024, 1] : tensor_view<1000x1000xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), padding_value = zero, tensor_view<1000x1000xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), padding_value = zero, tensor_view<1000x1000xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1000, 1000], strides = [1024, 1] : tensor_view<1000x1000xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), padding_value = zero, tensor_view<1000x1000xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), padding_value = zero, tensor_view<1000x1000xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
