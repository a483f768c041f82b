//! Notes on optimization hints and the architectures that they apply to.

use crate::Notes;

const ENTRY: &str = "
cuda_tile.module @example {
  entry @example() optimization_hints = <default = {{} = 4}> {
    return
  }
}
";

const ON_ENTRY: Notes = Notes {
    about: &["num_cta_in_cga", "num_worker_warps_per_cta", "occupancy"],
    syntax: "optimization_hints = <sm_100 = {{} = 4}>",
    rules: &[
        "It follows the parameters of the entry.",
        "A hint for a specific architecture overrides the one for `default`.",
        "It affects only performance, never results.",
    ],
    example: ENTRY,
    see: &["optimization_hints", "entry", "default"],
};

pub(super) const NOTES: &[Notes] = &[
    ON_ENTRY,
    Notes {
        about: &["allow_tma"],
        syntax: "optimization_hints = <sm_90 = {allow_tma = false}>",
        rules: &[
            "The tensor memory accelerator is available from `sm_90` on.",
            "Whether the compiler uses it also depends on alignment: see `assume` and `div_by`.",
        ],
        example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
%v = make_partition_view %t : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
%i = constant <i32: 0> : tile<i32>
%x, %token = load_view_tko weak %v[%i, %i] optimization_hints = <default = {allow_tma = false}>
    : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>
    -> tile<4x4xf32>, token
",
        see: &["optimization_hints", "latency", "div_by", "load_view_tko"],
    },
    Notes {
        about: &["latency"],
        syntax: "optimization_hints = <sm_90 = {latency = 3}>",
        rules: &["It applies only to this access."],
        example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>>
%x, %token = load_ptr_tko weak %p optimization_hints = <default = {latency = 3}>
    : tile<ptr<f32>>
    -> tile<f32>, token
",
        see: &["optimization_hints", "allow_tma", "load_ptr_tko", "load_view_tko"],
    },
    Notes {
        about: &[
            "default", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_107", "sm_110",
            "sm_120", "sm_121",
        ],
        syntax: "optimization_hints = <{} = {occupancy = 2}>",
        rules: &[
            "Each architecture has at most one list of hints.",
            "`default` applies to hints that an architecture does not set.",
        ],
        example: "
cuda_tile.module @example {
  entry @example() optimization_hints = <{} = {occupancy = 2}> {
    return
  }
}
",
        see: &["optimization_hints", "occupancy", "num_cta_in_cga"],
    },
];
