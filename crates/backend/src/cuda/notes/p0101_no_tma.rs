//! P0101: no TMA.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0101.
pub(super) static PAGE: Page = Page {
    code: "P0101",
    name: "no-tma",
    severity: Severity::Info,
    text: r#"GPUs from `sm_90` on have a tensor memory accelerator (TMA), which moves whole tiles between global
and shared memory while the tile block continues. The compiler tried to use it for this load or
store and could not; the message gives its reason. It uses ordinary memory instructions instead,
which cost instructions and registers for every element. NVIDIA's compiler reports this with `tile
build --emit cubin --gpu sm_90 --remarks`."#,
    fix: r#"Add `assume div_by<16>` to the base pointer. The caller must then pass aligned pointers. The other
reasons have pages of their own: strides (P0106), the layout (P0107), extents (P0108), narrow tiles
(P0109), padding (P0110), ordered accesses (P0111) and limits of the hardware (P0112)."#,
    see: &["P0106", "P0109", "P0201", "allow_tma", "div_by"],
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
