//! P0102: no tensor core.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0102.
pub(super) static PAGE: Page = Page {
    code: "P0102",
    name: "no-tensor-core",
    severity: Severity::Info,
    text: r#"A product of matrices is computed by ordinary multiplications and additions, because the GPU's tensor cores do not take
these types or shapes. On a large product that costs a factor of ten or more.

Factors of `f16`, `bf16`, `tf32` and of 8 bits are what tensor cores take; `f32` can be converted to `tf32` where its
precision is enough. Very small tiles do not fill a tensor core."#,
    fix: "",
    see: &[],
    wrong: r#"cuda_tile.module @m {
  entry @square(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<64x64xf32>
    %a = assume div_by<16>, %from : tile<ptr<f32>>
    %b = assume div_by<16>, %to : tile<ptr<f32>>
    %source = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %target = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %source : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %places = make_partition_view %target : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %product = mmaf %tile, %tile, %sum : tile<64x64xf32>, tile<64x64xf32>, tile<64x64xf32>
    %written = store_view_tko weak %product, %places[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @square(%from: tile<ptr<f16>>, %to: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %sum = constant <f32: 0.0> : tile<64x64xf32>
    %a = assume div_by<16>, %from : tile<ptr<f16>>
    %b = assume div_by<16>, %to : tile<ptr<f32>>
    %source = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %target = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %tiles = make_partition_view %source : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %places = make_partition_view %target : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %tile, %read = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %product = mmaf %tile, %tile, %sum : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %written = store_view_tko weak %product, %places[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
"#,
};
