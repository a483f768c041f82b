//! P0102: no tensor core.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0102.
pub(super) static PAGE: Page = Page {
    code: "P0102",
    name: "no-tensor-core",
    severity: Severity::Info,
    text: r#"The compiler computes this matrix product with ordinary multiplications and additions, because the
tensor cores of the GPU do not support its types or shape. A large product is then ten times slower
or more."#,
    fix: r#"Use factors of `f16`, `bf16`, `tf32` or an 8-bit type; the accumulator can stay `f32`. Factors of
`f32` can be converted to `tf32` with `ftof` where its 10 mantissa bits are enough. Very small tiles
do not fill a tensor core, so use larger ones."#,
    see: &["P0103", "mmaf", "mmai", "tf32"],
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
