//! P0204: repeated load.

use crate::diagnostic::{Page, Severity};

/// The page of P0204.
pub static PAGE: Page = Page {
    code: "P0204",
    name: "repeated-load",
    severity: Severity::Hint,
    text: r#"The entry loads a tile that it has already loaded: an earlier load reads the same elements, or
every iteration of a loop does. The entry does not write to this memory, so the tile is the same.
The compiler must not assume that, because other kernels could write to it."#,
    fix: r#"Use the tile of the first load, or move the load out of the loop. That keeps the tile in registers
for longer; if registers are scarce, as `tile check --explain-cost` estimates, loading again can be
faster."#,
    see: &["P0104", "load_view_tko", "load_ptr_tko"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>
    %a, %read_a = load_view_tko weak %tiles[%block] : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %b, %read_b = load_view_tko weak %tiles[%block] : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %square = mulf %a, %b : tile<64xf32>
    %printed = print_tko "%f\n", %square token = %read_b : tile<64xf32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %view = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>
    %a, %read_a = load_view_tko weak %tiles[%block] : partition_view<tile=(64), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %square = mulf %a, %a : tile<64xf32>
    %printed = print_tko "%f\n", %square token = %read_a : tile<64xf32> -> token
  }
}
"#,
};
