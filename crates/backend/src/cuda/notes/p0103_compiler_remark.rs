//! P0103: a remark of the compiler.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0103.
pub(super) static PAGE: Page = Page {
    code: "P0103",
    name: "compiler-remark",
    severity: Severity::Info,
    text: r#"NVIDIA's compiler reports a fact about an op, usually which instruction it chose for a load, a store
or a matrix product. This is information, not an error. Such remarks are shown with `--remarks=all`.
Warnings of the compiler without a page of their own have this code too and are always shown."#,
    fix: r#"There is nothing to fix. The right program contains no op that the compiler remarks on."#,
    see: &["P0101", "P0102", "P0104", "P0105"],
    wrong: r#"cuda_tile.module @m {
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
    right: r#"cuda_tile.module @m {
  entry @k() {
  }
}
"#,
};
