//! P0101: no TMA.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0101.
pub(super) static PAGE: Page = Page {
    code: "P0101",
    name: "no-tma",
    severity: Severity::Info,
    text: r#"Since sm_90 a GPU can move whole tiles between global and shared memory by itself (TMA), while the tile block goes on.
The compiler would have used that for this load or store, and could not; it says why. What it then uses costs
instructions and registers for every element.

- "base pointer not 16-byte aligned": promise that it is, with `assume div_by<16>` on the pointer, and with
  `assume div_by<…>` on strides that are not constants, so that rows are aligned too. The caller must keep the promise.
- "TMA only supports zero padding": give the view `padding_value = zero`, and mask what needs another value afterwards.

`tile build --emit cubin --gpu sm_90 --remarks` tells of this, as NVIDIA's compiler remarks it."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  entry @copy(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %source = make_tensor_view %from, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %source : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %tile, %read = load_view_tko weak %tiles[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %aligned = assume div_by<16>, %to : tile<ptr<f32>>
    %target = make_tensor_view %aligned, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %places = make_partition_view %target : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %written = store_view_tko weak %tile, %places[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @copy(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %from_16 = assume div_by<16>, %from : tile<ptr<f32>>
    %source = make_tensor_view %from_16, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %source : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %tile, %read = load_view_tko weak %tiles[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<64x64xf32>, token
    %aligned = assume div_by<16>, %to : tile<ptr<f32>>
    %target = make_tensor_view %aligned, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %places = make_partition_view %target : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %written = store_view_tko weak %tile, %places[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
