//! P0108: no TMA because of an extent.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0108.
pub(super) static PAGE: Page = Page {
    code: "P0108",
    name: "tma-extent",
    severity: Severity::Info,
    text: r#"The contiguous dimension of this tensor view does not have a multiple of 16 bytes, or the compiler
does not know it. A TMA store writes 16 bytes at a time, so the last ones of a row could overwrite
what follows the row. Loads of the same view can use TMA."#,
    fix: r#"State that a dynamic extent is a multiple: `assume div_by<4>` for `f32`. Otherwise round the
extent up to 16 bytes if the rows of the tensor have room for that. Ignore the remark if only the
last tile of a row is affected."#,
    see: &["P0101", "P0106", "assume", "div_by"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1023], strides = [1024, 1] : tensor_view<1024x1023xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1023xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1023xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1023], strides = [1024, 1] : tensor_view<1024x1023xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1023xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1023xf32, strides=[1024,1]>>, tile<i32> -> token
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
