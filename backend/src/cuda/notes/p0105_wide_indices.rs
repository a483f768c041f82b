//! P0105: indices of 64 bits.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0105.
pub(super) static PAGE: Page = Page {
    code: "P0105",
    name: "wide-indices",
    severity: Severity::Info,
    text: r#"The compiler would compute the offsets of this tensor view in 32 bits, and could not prove that they fit. It computes
them in 64 bits, which takes more instructions and registers for every access. It remarks this since 13.5.

- "index computations may require N bits": the extents and strides allow offsets of that many bits. State how large they
  can be, with `assume bounded<0, …>` on the values of dynamic extents and strides. The caller must keep the promise.
- "IR not supported by this optimization": the compiler does not look through the ops that compute an extent or a stride.

A tensor of more than 2^31 elements needs 64 bits."#,
    fix: "",
    see: &[],
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
