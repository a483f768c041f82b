//! P0104: register pressure.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0104.
pub(super) static PAGE: Page = Page {
    code: "P0104",
    name: "register-pressure",
    severity: Severity::Warning,
    text: r#"The threads of this entry need more registers than they have, according to an estimate of NVIDIA's
compiler or the result of register allocation. Values that do not fit spill to local memory, which
is much slower. The wrong program carries four 128x128 tiles of `f32` in 4 warps, which takes 512
registers per thread; a thread has at most 255. `tileiras` reports this from 13.5 on, even without
`--remarks`."#,
    fix: r#"Reduce the registers that each thread needs, or give each thread more:

- use smaller tiles, and keep fewer tiles live at the same time, such as those carried by a loop;
- use more warps per thread block: a larger `num_worker_warps_per_cta`;
- let fewer thread blocks share a multiprocessor: a smaller `occupancy`."#,
    see: &["P0103", "num_worker_warps_per_cta", "occupancy", "tile sizes"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%from: tile<ptr<f32>>) optimization_hints = <default = {num_worker_warps_per_cta = 4}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 8> : tile<i32>
    %sum = constant <f32: 0.0> : tile<128x128xf32>
    %p = assume div_by<16>, %from : tile<ptr<f32>>
    %source = make_tensor_view %p, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %source : partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %r:4 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %sum, %b = %sum, %c = %sum, %d = %sum) -> (tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>) {
      %x, %read = load_view_tko weak %tiles[%zero, %i] : partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<128x128xf32>, token
      %ea = exp %a : tile<128x128xf32>
      %eb = exp %b : tile<128x128xf32>
      %ec = exp %c : tile<128x128xf32>
      %ed = exp %d : tile<128x128xf32>
      %na = fma %ea, %x, %b : tile<128x128xf32>
      %nb = fma %eb, %x, %c : tile<128x128xf32>
      %nc = fma %ec, %x, %d : tile<128x128xf32>
      %nd = fma %ed, %x, %a : tile<128x128xf32>
      continue %na, %nb, %nc, %nd : tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>, tile<128x128xf32>
    }
    %ab = addf %r#0, %r#1 : tile<128x128xf32>
    %cd = addf %r#2, %r#3 : tile<128x128xf32>
    %all = addf %ab, %cd : tile<128x128xf32>
    %written = store_view_tko weak %all, %tiles[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%from: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 32> : tile<i32>
    %sum = constant <f32: 0.0> : tile<32x32xf32>
    %p = assume div_by<16>, %from : tile<ptr<f32>>
    %source = make_tensor_view %p, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf32, strides=[1024,1]>
    %tiles = make_partition_view %source : partition_view<tile=(32x32), tensor_view<1024x1024xf32, strides=[1024,1]>>
    %r:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %sum, %b = %sum) -> (tile<32x32xf32>, tile<32x32xf32>) {
      %x, %read = load_view_tko weak %tiles[%zero, %i] : partition_view<tile=(32x32), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<32x32xf32>, token
      %ea = exp %a : tile<32x32xf32>
      %na = fma %ea, %x, %b : tile<32x32xf32>
      continue %na, %a : tile<32x32xf32>, tile<32x32xf32>
    }
    %all = addf %r#0, %r#1 : tile<32x32xf32>
    %written = store_view_tko weak %all, %tiles[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<1024x1024xf32, strides=[1024,1]>>, tile<i32> -> token
  }
}
"#,
};
