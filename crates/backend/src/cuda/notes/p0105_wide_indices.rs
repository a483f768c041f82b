//! P0105: 64-bit indices.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0105.
pub(super) static PAGE: Page = Page {
    code: "P0105",
    name: "wide-indices",
    severity: Severity::Info,
    text: r#"The compiler computes the offsets of this tensor view in 64 bits, because it could not prove that 32
bits are enough. That takes more instructions and registers for every access. The message gives the
reason: either the extents and strides allow offsets of more than 32 bits, or "IR not supported by
this optimization", which means that the compiler does not analyze an op that computes an extent or
a stride. `tileiras` reports this from 13.5 on."#,
    fix: r#"State how large dynamic extents and strides can be, with `assume bounded<0, …>` on their values. The
caller must then keep these bounds. A tensor of more than 2^31 elements needs 64-bit offsets, so
ignore the remark there."#,
    see: &["P0101", "P0103", "assume", "bounded", "dynamic extent"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %view = make_tensor_view %a, shape = [%n, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>
    %tile, %read = load_view_tko weak %tiles[%x, %y] : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %written = store_view_tko weak %tile, %tiles[%x, %y] token=%read : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %rows = assume bounded<0, 1048576>, %n : tile<i32>
    %view = make_tensor_view %a, shape = [%rows, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>
    %tile, %read = load_view_tko weak %tiles[%x, %y] : partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %written = store_view_tko weak %tile, %tiles[%x, %y] token=%read : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
