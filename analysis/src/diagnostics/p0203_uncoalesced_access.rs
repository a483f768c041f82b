//! P0203: uncoalesced access.

use crate::diagnostic::{Page, Severity};

/// The page of P0203.
pub static PAGE: Page = Page {
    code: "P0203",
    name: "uncoalesced-access",
    severity: Severity::Hint,
    text: r#"Memory is moved in sectors of 32 bytes. The elements of this tile that are adjacent in memory fill
less than a sector, so the rest of each sector is moved for nothing, unless another access uses it
while it is in the cache. Tiles of fewer than 32 elements are not reported."#,
    fix: r#"Give the tile a larger extent along the dimension whose stride is 1, or another order of dimensions
(`dim_map`), and transpose or reshape the tile after loading it."#,
    see: &["P0201", "dim_map", "permute", "make_partition_view"],
    wrong: r#"cuda_tile.module @m {
  entry @column(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x1), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %block] : partition_view<tile=(64x1), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x1xf32>, token
    %printed = print_tko "%f\n", %tile token = %read : tile<64x1xf32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @columns(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x8), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %block] : partition_view<tile=(64x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x8xf32>, token
    %printed = print_tko "%f\n", %tile token = %read : tile<64x8xf32> -> token
  }
}
"#,
};
