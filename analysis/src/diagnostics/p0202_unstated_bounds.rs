//! P0202: unstated bounds.

use crate::diagnostic::{Page, Severity};

/// The page of P0202.
pub static PAGE: Page = Page {
    code: "P0202",
    name: "unstated-bounds",
    severity: Severity::Hint,
    text: r#"A view checks for each element of a tile whether it is inside the tensor. The extents of this
tensor are parameters, so the compiler cannot know that all tiles are inside. They are in all
launches of this entry, so the program could state it and avoid the checks."#,
    fix: r#"If tiles never extend beyond the tensor, for any caller, add `inbounds = [true, …]` with one value
for each dimension. A run reports an access that breaks the promise, R0303. If the extents can be
arbitrary, test the entry with a launch in which they are not multiples of the tile."#,
    see: &["P0201", "inbounds", "load_view_tko", "store_view_tko"],
    wrong: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %tile, %read = load_view_tko weak %tiles[%block] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %sum = addf %tile, %tile : tile<64xf32>
    %written = store_view_tko weak %sum, %tiles[%block] token = %read : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch grid=(4, 1, 1)
  //@   %x = f32[256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %tile, %read = load_view_tko weak %tiles[%block] inbounds = [true] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %sum = addf %tile, %tile : tile<64xf32>
    %written = store_view_tko weak %sum, %tiles[%block] token = %read inbounds = [true] : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
  }
}
"#,
};
