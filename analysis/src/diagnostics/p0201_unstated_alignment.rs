//! P0201: unstated alignment.

use crate::diagnostic::{Page, Severity};

/// The page of P0201.
pub static PAGE: Page = Page {
    code: "P0201",
    name: "unstated-alignment",
    severity: Severity::Hint,
    text: r#"GPUs from `sm_90` on can move whole tiles between global and shared memory with the tensor memory
accelerator (TMA). It requires that every row of the tensor begins at a multiple of 16 bytes. The
compiler does not know that of pointers and strides that are parameters, so it uses ordinary memory
instructions. All launches of this entry pass values that fit, so the program could state it. Tiles
of less than 2 KiB are not reported."#,
    fix: r#"If all callers pass such values, state it with `assume div_by<…>`: in bytes for a pointer, in
elements for a stride. A run reports values that break the promise, R0302."#,
    see: &["P0101", "P0202", "assume", "div_by"],
    wrong: r#"cuda_tile.module @m {
  //@ launch
  //@   %x = f32[64, 256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [64, %n], strides = [%n, 1] : tile<i32> -> tensor_view<64x?xf32, strides=[?,1]>
    %tiles = make_partition_view %view : partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token
    %sum = addf %tile, %tile : tile<16x64xf32>
    %written = store_view_tko weak %sum, %tiles[%zero, %zero] token = %read inbounds = [true, true] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  //@ launch
  //@   %x = f32[64, 256] iota
  //@   %n = 256
  entry @double(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_aligned = assume div_by<16>, %x : tile<ptr<f32>>
    %n_aligned = assume div_by<4>, %n : tile<i32>
    %view = make_tensor_view %x_aligned, shape = [64, %n_aligned], strides = [%n_aligned, 1] : tile<i32> -> tensor_view<64x?xf32, strides=[?,1]>
    %tiles = make_partition_view %view : partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %zero] inbounds = [true, true] : partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x64xf32>, token
    %sum = addf %tile, %tile : tile<16x64xf32>
    %written = store_view_tko weak %sum, %tiles[%zero, %zero] token = %read inbounds = [true, true] : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<64x?xf32, strides=[?,1]>>, tile<i32> -> token
  }
}
"#,
};
