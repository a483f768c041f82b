//! P0106: no TMA because of strides.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0106.
pub(super) static PAGE: Page = Page {
    code: "P0106",
    name: "tma-stride",
    severity: Severity::Info,
    text: r#"TMA reads and writes rows that begin at multiples of 16 bytes. The stride of every dimension but
the contiguous one must therefore be a multiple of 16 bytes, and the compiler must know it: from a
constant in the type of the tensor view, or from an `assume`. The tiles of a strided view must
begin at such multiples too. The access uses ordinary memory instructions instead. A note names
the stride that probably causes this."#,
    fix: r#"State that a dynamic stride is a multiple: `assume div_by<4>` for `f32`, `div_by<8>` for `f16`.
The caller must then pass such strides. If a constant stride is not a multiple of 16 bytes, pad
the rows of the tensor. In a strided view, choose traversal strides that are multiples of 16
bytes."#,
    see: &["P0101", "P0107", "P0201", "assume", "div_by"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [%n, 1] : tile<i32> -> tensor_view<1024x1024xf32, strides=[?,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [%n, 1] : tile<i32> -> tensor_view<1024x1024xf32, strides=[?,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %d = assume div_by<4>, %n : tile<i32>
    %m = assume bounded<0, 65536>, %d : tile<i32>
    %v = make_tensor_view %a, shape = [1024, 1024], strides = [%m, 1] : tile<i32> -> tensor_view<1024x1024xf32, strides=[?,1]>
    %t = make_partition_view %v : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>
    %l, %r = load_view_tko weak %t[%x, %y] : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %w = make_tensor_view %b, shape = [1024, 1024], strides = [%m, 1] : tile<i32> -> tensor_view<1024x1024xf32, strides=[?,1]>
    %u = make_partition_view %w : partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>
    %s = store_view_tko weak %l, %u[%x, %y] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<1024x1024xf32, strides=[?,1]>>, tile<i32> -> token
  }
}
"#,
};
