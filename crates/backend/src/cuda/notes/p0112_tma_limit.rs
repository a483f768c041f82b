//! P0112: no TMA beyond its limits.

use tile_analysis::diagnostic::{Page, Severity};

/// The page of P0112.
pub(super) static PAGE: Page = Page {
    code: "P0112",
    name: "tma-limit",
    severity: Severity::Info,
    text: r#"The hardware describes a tensor with at most 5 dimensions, extents of at most 2^32 elements, and
strides of less than 2^40 bytes, and not for every element type: `i1` is not supported. This
tensor view exceeds one of the limits; a note says which. The access uses ordinary memory
instructions instead."#,
    fix: r#"Merge dimensions that are adjacent in memory, or make a tensor view of the part that the tile
block uses: add the offset to the base pointer. Store booleans as `i8`."#,
    see: &["P0101", "P0105", "allow_tma"],
    wrong: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [16, 16, 16, 16, 16, 16], strides = [1048576, 65536, 4096, 256, 16, 1] : tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>
    %t = make_partition_view %v : partition_view<tile=(1x1x1x1x16x16), tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>>
    %l, %r = load_view_tko weak %t[%x, %y, %z, %x, %y, %z] : partition_view<tile=(1x1x1x1x16x16), tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>>, tile<i32> -> tile<1x1x1x1x16x16xf32>, token
    %w = make_tensor_view %b, shape = [16, 16, 16, 16, 16, 16], strides = [1048576, 65536, 4096, 256, 16, 1] : tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>
    %u = make_partition_view %w : partition_view<tile=(1x1x1x1x16x16), tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>>
    %s = store_view_tko weak %l, %u[%x, %y, %z, %x, %y, %z] : tile<1x1x1x1x16x16xf32>, partition_view<tile=(1x1x1x1x16x16), tensor_view<16x16x16x16x16x16xf32, strides=[1048576,65536,4096,256,16,1]>>, tile<i32> -> token
  }
}
"#,
    right: r#"cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume div_by<16>, %q : tile<ptr<f32>>
    %v = make_tensor_view %a, shape = [4096, 16, 16, 16, 16], strides = [65536, 4096, 256, 16, 1] : tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>
    %t = make_partition_view %v : partition_view<tile=(1x1x1x16x16), tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>>
    %l, %r = load_view_tko weak %t[%x, %y, %z, %x, %y] : partition_view<tile=(1x1x1x16x16), tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>>, tile<i32> -> tile<1x1x1x16x16xf32>, token
    %w = make_tensor_view %b, shape = [4096, 16, 16, 16, 16], strides = [65536, 4096, 256, 16, 1] : tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>
    %u = make_partition_view %w : partition_view<tile=(1x1x1x16x16), tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>>
    %s = store_view_tko weak %l, %u[%x, %y, %z, %x, %y] : tile<1x1x1x16x16xf32>, partition_view<tile=(1x1x1x16x16), tensor_view<4096x16x16x16x16xf32, strides=[65536,4096,256,16,1]>>, tile<i32> -> token
  }
}
"#,
};
