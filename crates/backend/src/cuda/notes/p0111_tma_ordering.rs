//! P0111: no TMA for ordered accesses.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0111.
pub(super) static PAGE: Page = Page {
    code: "P0111",
    name: "tma-ordering",
    severity: Severity::Info,
    text: r#"TMA copies a tile asynchronously and in any order, so only `weak` accesses can use it. This one is
`relaxed`, `acquire` or `release`, and uses ordinary memory instructions."#,
    fix: r#"Make the access `weak` if other tile blocks do not access the same elements during the launch, or
if something else orders their accesses, such as a flag. Otherwise ignore the remark."#,
    see: &["P0101", "R0101", "allow_tma"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %l, %r = load_view_tko relaxed device %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
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
