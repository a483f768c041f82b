//! P0109: no TMA for narrow tiles.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0109.
pub(super) static PAGE: Page = Page {
    code: "P0109",
    name: "tma-tile-row",
    severity: Severity::Info,
    text: r#"TMA copies a tile row by row, and a row must be a multiple of 16 bytes. The tile of this access is
narrower along the contiguous dimension of the tensor. It uses ordinary memory instructions
instead."#,
    fix: r#"Choose a tile with at least 16 bytes along the contiguous dimension: 4 elements of `f32`, 8 of
`f16`. Where the program needs a column, load a wider tile and extract the column from it."#,
    see: &["P0101", "P0203", "tile sizes", "allow_tma"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x2), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x2), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x2xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x2), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x2xf32>, partition_view<tile=(64x2), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %t = make_partition_view %v : partition_view<tile=(64x4), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x4), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x4xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %u = make_partition_view %w : partition_view<tile=(64x4), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x4xf32>, partition_view<tile=(64x4), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
