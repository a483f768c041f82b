//! Notes on the attributes that are written with a keyword.

use crate::Notes;

pub(super) const NOTES: &[Notes] = &[
    Notes {
        about: &["flush_to_zero"],
        syntax: "addf %a, %b flush_to_zero : tile<8xf32>",
        rules: &["It follows the operands and the rounding mode.", "It requires `f32`."],
        example: "
%a = constant <f32: 1.0e-30> : tile<8xf32>
%b = mulf %a, %a rounding<zero> flush_to_zero : tile<8xf32>
",
        see: &["rounding", "f32", "approx"],
    },
    Notes {
        about: &["propagate_nan"],
        syntax: "maxf %a, %b propagate_nan : tile<8xf32>",
        rules: &["It can be combined with `flush_to_zero`, in either order."],
        example: "
%a = constant <f32: [1.0, 2.0]> : tile<2xf32>
%nan = constant <f32: 0x7FC00000> : tile<2xf32>
%b = maxf %a, %nan propagate_nan : tile<2xf32>
",
        see: &["maxf", "minf", "flush_to_zero"],
    },
    Notes {
        about: &["fast_acc"],
        syntax: "mmaf %a, %b, %acc fast_acc : TA, TB, TC",
        rules: &["Results can differ from those without it in the last bits."],
        example: "
%a = constant <f8E4M3FN: 1.0> : tile<16x32xf8E4M3FN>
%b = constant <f8E4M3FN: 1.0> : tile<32x16xf8E4M3FN>
%acc = constant <f32: 0.0> : tile<16x16xf32>
%c = mmaf %a, %b, %acc fast_acc : tile<16x32xf8E4M3FN>, tile<32x16xf8E4M3FN>, tile<16x16xf32>
",
        see: &["mmaf", "f8E4M3FN", "f8E5M2"],
    },
    Notes {
        about: &["saturating"],
        syntax: "ftoi %x signed saturating : tile<8xf32> -> tile<8xi32>",
        rules: &["Without it, converting NaN or a value out of range is undefined behavior."],
        example: "
%x = constant <f32: [300.0, -300.0]> : tile<2xf32>
%y = ftoi %x signed saturating : tile<2xf32> -> tile<2xi8>
",
        see: &["ftoi", "signedness"],
    },
    Notes {
        about: &["unsigned"],
        syntax: "for unsigned %i in (%from to %to, step %step) : tile<i32>",
        rules: &["Without it, the bounds are compared as signed."],
        example: "
%zero = constant <i32: 0> : tile<i32>
%n = constant <i32: 8> : tile<i32>
%one = constant <i32: 1> : tile<i32>
for unsigned %i in (%zero to %n, step %one) : tile<i32> {
  print_tko \"%i\\n\", %i : tile<i32> -> token
}
",
        see: &["for", "signedness"],
    },
    Notes {
        about: &["global"],
        syntax: "alloca num_elem = 8, alignment = 4 global : tile<ptr<f32>>",
        rules: &[
            "Without it, only the tile block itself can use the address.",
            "The memory is still freed at the end of the block that contains the `alloca`.",
        ],
        example: "
%p = alloca num_elem = 8, alignment = 4 global : tile<ptr<f32>>
",
        see: &["alloca", "num_elem", "alignment"],
    },
    Notes {
        about: &["num_elem"],
        syntax: "alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>",
        rules: &["It is a number; a value such as `%n` is not allowed."],
        example: "
%p = alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>
",
        see: &["alloca", "alignment"],
    },
    Notes {
        about: &["alignment"],
        syntax: "alloca num_elem = 8, alignment = 16 : tile<ptr<f32>>\nglobal @table alignment = 256 <f32: [1.0, 2.0]> : tile<2xf32>",
        rules: &["It is given in bytes and must be a power of two."],
        example: "
cuda_tile.module @example {
  global @table alignment = 256 <f32: [1.0, 2.0]> : tile<2xf32>

  entry @example() {
    %p = alloca num_elem = 8, alignment = 16 : tile<ptr<f32>>
  }
}
",
        see: &["alloca", "global", "div_by"],
    },
    Notes {
        about: &["constant"],
        syntax: "global constant @table <f32: [1.0, 2.0]> : tile<2xf32>",
        rules: &["A store to it is undefined behavior."],
        example: "
cuda_tile.module @example {
  global constant @squares <i32: [0, 1, 4, 9]> : tile<4xi32>

  entry @example() {
    %p = get_global @squares : tile<ptr<i32>>
  }
}
",
        see: &["global", "get_global", "public", "private"],
    },
    Notes {
        about: &["producer"],
        syntax: "cuda_tile.module @m attributes {producer = \"my compiler 1.0\"} { … }",
        rules: &["Bytecode stores it from 13.3 on."],
        example: "
cuda_tile.module @example attributes {producer = \"my compiler 1.0\"} {
  entry @example() {
    return
  }
}
",
        see: &["module"],
    },
    Notes {
        about: &["dim"],
        syntax: "reduce %x dim = 0 identities = [0.0 : f32] : tile<8xf32> -> tile<f32>\n\
                 cat %a, %b dim = 0 : tile<4xf32>, tile<4xf32> -> tile<8xf32>",
        rules: &["Dimensions are counted from 0, so the number must be less than the rank."],
        example: "
%a = iota : tile<4xi32>
%b = cat %a, %a dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
",
        see: &["reduce", "scan", "cat"],
    },
    Notes {
        about: &["reverse"],
        syntax: "scan %x dim = 0 reverse = true identities = [0.0 : f32] : tile<8xf32> -> tile<8xf32>",
        rules: &["It is `true` or `false` and is required."],
        example: "
%a = iota : tile<8xi32>
%sums = scan %a dim = 0 reverse = true identities = [0 : i32] : tile<8xi32> -> tile<8xi32>
(%acc: tile<i32>, %x: tile<i32>) {
  %s = addi %acc, %x : tile<i32>
  yield %s : tile<i32>
}
",
        see: &["scan", "dim", "identities"],
    },
    Notes {
        about: &["identities"],
        syntax: "identities = [0.0 : f32]\nidentities = [0 : i32, 0xFF800000 : f32]",
        rules: &[
            "There is one for each tile that is reduced, with the element type of that tile.",
            "It is the value that combining leaves unchanged: 0 for sums, 1 for products, negative infinity (`0xFF800000 : f32`) for a \
             maximum of `f32`, the least integer for a signed maximum.",
            "It can be combined any number of times.",
        ],
        example: "
%x = constant <f32: [1.0, 7.0, 3.0, 2.0]> : tile<4xf32>
%most = reduce %x dim = 0 identities = [0xFF800000 : f32] : tile<4xf32> -> tile<f32>
(%a: tile<f32>, %b: tile<f32>) {
  %m = maxf %a, %b : tile<f32>
  yield %m : tile<f32>
}
",
        see: &["reduce", "scan", "literal"],
    },
    Notes {
        about: &["inbounds"],
        syntax: "load_view_tko weak %v[%i, %j] inbounds = [true, false] : …",
        rules: &[
            "A tile that extends beyond the tensor along a dimension marked `true` is undefined behavior.",
            "It defaults to `false` for every dimension.",
        ],
        example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
%v = make_partition_view %t : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
%i = constant <i32: 1> : tile<i32>
%x, %token = load_view_tko weak %v[%i, %i] inbounds = [true, true]
    : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>
    -> tile<4x4xf32>, token
",
        see: &["load_view_tko", "store_view_tko", "index space", "padding_value"],
    },
    Notes {
        about: &["optimization_hints"],
        syntax: "optimization_hints = <default = {occupancy = 2}, sm_100 = {num_cta_in_cga = 2}>\n\
                 optimization_hints = <sm_90 = {latency = 3}>",
        rules: &[
            "Hints are grouped by architecture; each architecture has at most one group.",
            "A hint for a specific architecture overrides the one for `default`.",
            "The compiler ignores unknown hints; `tile check` reports them.",
        ],
        example: "
cuda_tile.module @example {
  entry @example() optimization_hints = <default = {occupancy = 2}, sm_100 = {num_cta_in_cga = 2}> {
    return
  }
}
",
        see: &["occupancy", "num_cta_in_cga", "num_worker_warps_per_cta", "allow_tma", "latency", "default"],
    },
    Notes {
        about: &["synchronization"],
        syntax: "synchronization = #cuda_tile<preview$synchronization<warp>>",
        rules: &[
            "`warp` requires a multiple of 32 participants, `warpgroup` a multiple of 128, and `cta` all threads of the CTA.",
            "See `preview$synchronization` for the values.",
        ],
        example: "
cuda_tile.module @library {
  preview$extern_impl @double_impl implements @double(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) synchronization = #cuda_tile<preview$synchronization<warp>>
}
",
        see: &["preview$extern_impl", "fragment", "tile library"],
    },
    Notes {
        about: &["arch"],
        syntax: "arch = [\"sm_100\", \"sm_103\"]",
        rules: &[
            "Without it, the code is for every architecture.",
            "A library whose list does not contain the target is rejected.",
        ],
        example: "
cuda_tile.module @library {
  preview$extern_impl @double_impl implements @double(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) arch = [\"sm_100\"]
}
",
        see: &["preview$extern_impl", "fragment", "tile library"],
    },
    Notes {
        about: &["scratch"],
        syntax: "scratch {smem.size = #cuda_tile<preview$expr_int<128>>, smem.alignment = #cuda_tile<preview$expr_int<16>>}",
        rules: &[
            "Both parts are expressions, in bytes. The size must not be negative, and the alignment must be a power of two.",
            "The code receives the address in shared memory as an additional last argument.",
        ],
        example: "
cuda_tile.module @library {
  preview$extern_impl @double_impl implements @double(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  )
      scratch {smem.size = #cuda_tile<preview$expr_int<128>>,
          smem.alignment = #cuda_tile<preview$expr_int<16>>}
}
",
        see: &["preview$extern_impl", "fragment", "tile library"],
    },
];
