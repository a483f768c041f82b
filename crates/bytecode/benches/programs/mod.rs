//! A generated program for the benchmarks.

use std::fmt::Write;

/// Generates a module of small entries.
pub(crate) fn generated(entries: usize) -> String {
    let mut text = String::from("cuda_tile.module @generated {\n");
    for entry in 0..entries {
        let _ = write!(
            text,
            "  entry @kernel_{entry}(%a: tile<ptr<f32>>, %n: tile<i32>) {{\n    \
             %x, %y, %z = get_tile_block_id : tile<i32>\n    \
             %view = make_tensor_view %a, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>\n    \
             %part = make_partition_view %view : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>\n    \
             %tile, %token = load_view_tko weak %part[%x, %y] : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token\n    \
             %one = constant <f32: {entry}.0> : tile<64x64xf32>\n    \
             %sum = addf %tile, %one : tile<64x64xf32>\n    return\n  }}\n"
        );
    }
    text.push_str("}\n");
    text
}
