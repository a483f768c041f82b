//! P0205: overlapping stores.

use crate::diagnostic::{Page, Severity};

/// The page of P0205.
pub static PAGE: Page = Page {
    code: "P0205",
    name: "overlapping-stores",
    severity: Severity::Hint,
    text: r#"In a launch, several tile blocks store to the same elements. The blocks run at the same
time and in any order, so any of them can be the last to store; weak stores of different values are
a race, which is undefined behavior. Even if all store the same values, the memory is written more
often than needed. Stores after an atomic op are not reported, because it can order them, as a lock
does."#,
    fix: r#"Include the coordinates of the block in the index, let a single block store, or combine the values
with `atomic_red_view_tko`. `tile view --accesses` draws which elements the blocks store."#,
    see: &["P0204", "R0107", "get_tile_block_id", "atomic_red_view_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[64] zeros
  entry @k(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %number = itof %block signed : tile<i32> -> tile<f32>
    %row = reshape %number : tile<f32> -> tile<1xf32>
    %tile = broadcast %row : tile<1xf32> -> tile<16xf32>
    %written = store_view_tko weak %tile, %tiles[%zero] : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[64] zeros
  entry @k(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %number = itof %block signed : tile<i32> -> tile<f32>
    %row = reshape %number : tile<f32> -> tile<1xf32>
    %tile = broadcast %row : tile<1xf32> -> tile<16xf32>
    %written = store_view_tko weak %tile, %tiles[%block] : tile<16xf32>, partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
};
