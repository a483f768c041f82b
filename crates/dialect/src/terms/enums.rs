//! Notes on enums and their values.

use crate::{EnumNotes, Notes};

const APPROXIMATE: Notes = Notes {
    example: "
%a = constant <f32: 1.0> : tile<8xf32>
%b = constant <f32: 3.0> : tile<8xf32>
%c = divf %a, %b rounding<{}> : tile<8xf32>
%d = exp %a rounding<{}> : tile<8xf32>
",
    see: &["flush_to_zero", "exp", "tanh", "divf"],
    ..Notes::NONE
};

const PADDED: Notes = Notes {
    syntax: "partition_view<tile=(8x8), padding_value = {}, tensor_view<?x64xf32, strides=[64,1]>>",
    example: "
%p = alloca num_elem = 100, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [10, 10], strides = [10, 1]
    : tensor_view<10x10xf32, strides=[10,1]>
%v = make_partition_view %t
    : partition_view<tile=(8x8), padding_value = {}, tensor_view<10x10xf32, strides=[10,1]>>
",
    ..Notes::NONE
};

pub(super) const NOTES: &[EnumNotes] = &[
    EnumNotes {
        name: "rounding",
        page: "rounding",
        also: &["rounding_mode", "rounding mode"],
        doc: "The value that an op returns if the exact result cannot be represented.",
        own: Notes {
            syntax: "addf %a, %b rounding<zero> : tile<8xf32>",
            rules: &[
                "It is written between the operands and flags such as `flush_to_zero`.",
                "Each op supports some of the modes and has a default, which printers omit; `tile doc OP` lists them.",
                "`approx` requires `f32`, and so does `full` in `divf`.",
            ],
            example: "
%a = constant <f32: 1.0> : tile<8xf32>
%b = constant <f32: 3.0> : tile<8xf32>
%c = divf %a, %b rounding<zero> : tile<8xf32>
",
            see: &["flush_to_zero", "addf", "divf", "ftof"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["nearest_even", "zero", "negative_inf", "positive_inf"],
                example: "
%a = constant <f32: 1.0> : tile<8xf32>
%b = constant <f32: 3.0> : tile<8xf32>
%c = divf %a, %b rounding<{}> : tile<8xf32>
",
                ..Notes::NONE
            },
            Notes {
                about: &["approx"],
                rules: &[
                    "It requires `f32`.",
                    "The result is close to the exact one, but not always the nearest `f32` value.",
                ],
                ..APPROXIMATE
            },
            Notes {
                about: &["full"],
                rules: &[
                    "In `divf`, it requires `f32`.",
                    "The result is close to the exact one, but not always the nearest number.",
                ],
                ..APPROXIMATE
            },
            Notes {
                about: &["nearest_int_to_zero"],
                rules: &["It is the only mode of `ftoi` and thus its default."],
                example: "
%a = constant <f32: -1.75> : tile<8xf32>
%b = ftoi %a signed rounding<nearest_int_to_zero> : tile<8xf32> -> tile<8xi32>
",
                see: &["ftoi"],
                ..Notes::NONE
            },
            Notes {
                about: &["nearest_away"],
                rules: &["`ftof` supports it from `f32` to `tf32`, and in lossless conversions."],
                example: "
%a = constant <f32: 1.5> : tile<8xf32>
%b = ftof %a rounding<nearest_away> : tile<8xf32> -> tile<8xtf32>
",
                see: &["ftof", "tf32"],
                ..Notes::NONE
            },
        ],
    },
    EnumNotes {
        name: "signedness",
        page: "signedness",
        also: &["sign"],
        doc: "Whether an op interprets integers as signed or unsigned. Element types such as `i32` are signless, so each op for which it matters states it.",
        own: Notes {
            syntax: "divi %a, %b signed : tile<8xi32>\ncmpi less_than %a, %b, unsigned : tile<8xi32> -> tile<8xi1>",
            rules: &[
                "The keyword follows the operands; only `cmpi` has a comma before it.",
                "It is required.",
                "`addi`, `subi` and `muli` do not have it, because their results have the same bits either way.",
            ],
            example: "
%a = constant <i32: -7> : tile<8xi32>
%b = constant <i32: 2> : tile<8xi32>
%c = divi %a, %b signed : tile<8xi32>
%d = cmpi less_than %a, %b, signed : tile<8xi32> -> tile<8xi1>
",
            see: &["i32", "divi", "cmpi", "exti", "itof"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["unsigned", "signed"],
            example: "
%a = constant <i32: -7> : tile<8xi32>
%b = constant <i32: 2> : tile<8xi32>
%c = divi %a, %b {} : tile<8xi32>
%d = cmpi less_than %a, %b, {} : tile<8xi32> -> tile<8xi1>
",
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "overflow",
        page: "overflow",
        also: &["nsw", "nuw", "wrap"],
        doc: "What the compiler can assume about the results of integer arithmetic.",
        own: Notes {
            syntax: "addi %a, %b overflow<no_signed_wrap> : tile<8xi32>",
            rules: &[
                "It defaults to `none`: results wrap around.",
                "If the assumption does not hold, the result is undefined; `tile run --sanitize` detects this.",
            ],
            example: "
%a = iota : tile<8xi32>
%b = addi %a, %a overflow<no_signed_wrap> : tile<8xi32>
",
            see: &["addi", "muli", "shli", "trunci", "signedness"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"],
            example: "
%a = iota : tile<8xi32>
%b = addi %a, %a overflow<{}> : tile<8xi32>
",
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "comparison_predicate",
        page: "comparison predicate",
        also: &["comparison_predicate", "predicate"],
        doc: "The relation that `cmpi` and `cmpf` test for each pair of elements.",
        own: Notes {
            syntax: "cmpi less_than %a, %b, signed : tile<8xi32> -> tile<8xi1>\ncmpf equal ordered %a, %b : tile<8xf32> -> tile<8xi1>",
            rules: &["It is written before the operands.", "The result is a tile of `i1` of the same shape."],
            example: "
%a = iota : tile<8xi32>
%four = constant <i32: 4> : tile<8xi32>
%small = cmpi less_than %a, %four, signed : tile<8xi32> -> tile<8xi1>
",
            see: &["cmpi", "cmpf", "comparison ordering", "select"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"],
            example: "
%a = iota : tile<8xi32>
%four = constant <i32: 4> : tile<8xi32>
%mask = cmpi {} %a, %four, signed : tile<8xi32> -> tile<8xi1>
",
            see: &["cmpi", "cmpf"],
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "comparison_ordering",
        page: "comparison ordering",
        also: &["comparison_ordering", "ordering"],
        doc: "The result of a float comparison if an operand is NaN.",
        own: Notes {
            syntax: "cmpf less_than ordered %a, %b : tile<8xf32> -> tile<8xi1>",
            rules: &[
                "It follows the predicate and is required.",
                "`not_equal unordered` corresponds to `!=` in most languages.",
            ],
            example: "
%a = constant <f32: 1.0> : tile<8xf32>
%nan = constant <f32: 0x7FC00000> : tile<8xf32>
%no = cmpf equal ordered %a, %nan : tile<8xf32> -> tile<8xi1>
",
            see: &["cmpf", "comparison predicate"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["unordered", "ordered"],
            example: "
%a = constant <f32: 1.0> : tile<8xf32>
%nan = constant <f32: 0x7FC00000> : tile<8xf32>
%mask = cmpf equal {} %a, %nan : tile<8xf32> -> tile<8xi1>
",
            see: &["cmpf"],
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "atomic_rmw_mode",
        page: "atomic mode",
        also: &["atomic_rmw_mode", "rmw mode"],
        doc: "How an atomic op combines the number in memory with its operand.",
        own: Notes {
            syntax: "atomic_rmw_tko relaxed device %p, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token",
            rules: &[
                "`and`, `or`, `xor`, `add`, `max`, `min`, `umax` and `umin` require `i32` or `i64`.",
                "`addf` requires `f16`, `bf16`, `f32` or `f64`.",
                "`xchg` requires integers or floats of 32 or 64 bits.",
                "Each element is updated atomically, but not the tile as a whole.",
            ],
            example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%one = constant <i32: 1> : tile<i32>
%old, %token = atomic_rmw_tko relaxed device %p, add, %one
    : tile<ptr<i32>>, tile<i32>
    -> tile<i32>, token
",
            see: &["atomic_rmw_tko", "atomic_red_view_tko", "memory ordering", "memory scope"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["and", "or", "xor", "add", "max", "min", "umax", "umin"],
                rules: &["It requires `i32` or `i64`."],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%x = constant <i32: 6> : tile<i32>
%old, %token = atomic_rmw_tko relaxed device %p, {}, %x
    : tile<ptr<i32>>, tile<i32>
    -> tile<i32>, token
",
                ..Notes::NONE
            },
            Notes {
                about: &["addf"],
                rules: &[
                    "It requires `f16`, `bf16`, `f32` or `f64`.",
                    "Sums are rounded to the nearest value; subnormal numbers can become zero.",
                ],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>>
%x = constant <f32: 0.5> : tile<f32>
%old, %token = atomic_rmw_tko relaxed device %p, addf, %x
    : tile<ptr<f32>>, tile<f32>
    -> tile<f32>, token
",
                ..Notes::NONE
            },
            Notes {
                about: &["xchg"],
                rules: &[
                    "It requires integers or floats of 32 or 64 bits.",
                    "`atomic_red_view_tko` does not support it, because it does not return the old value.",
                ],
                example: "
%lock = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%free = constant <i32: 0> : tile<i32>
%old, %token = atomic_rmw_tko release device %lock, xchg, %free
    : tile<ptr<i32>>, tile<i32>
    -> tile<i32>, token
",
                see: &["atomic_cas_tko"],
                ..Notes::NONE
            },
        ],
    },
    EnumNotes {
        name: "multimem_reduction_kind",
        page: "multimem_reduction_kind",
        also: &["multimem reduction", "reduction"],
        doc: "How the replicas of multicast memory are combined with each other, or each of them with a tile.",
        own: Notes {
            syntax: "… attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : …",
            rules: &[
                "It is written in the attribute dictionary. It defaults to `add`.",
                "32-bit and 64-bit integers support all reductions; `f32` and `f64` support only `add`.",
                "`f16` and `bf16` support `add`, and in `multimem_load_reduce_view_tko` also `min` and `max`.",
            ],
            example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<f32, <multicast>>>
%t = make_tensor_view %p, shape = [4], strides = [1]
    : tile<ptr<f32, <multicast>>>
    -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
%v = make_partition_view %t
    : partition_view<tile=(2), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
%i = constant <i32: 0> : tile<i32>
%x = constant <f32: 1.0> : tile<2xf32>
%token = multimem_reduce_view_tko relaxed sys %v, %x[%i]
    : partition_view<tile=(2), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
      tile<2xf32>,
      tile<i32>
    -> token
",
            see: &["multimem_reduce_view_tko", "multimem_load_reduce_view_tko"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["add"],
                rules: &[
                    "Integers wrap around; the sum of floats is rounded to nearest.",
                    "It is the default, which the printer omits.",
                ],
                example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32, <multicast>>>
%t = make_tensor_view %p, shape = [4], strides = [1]
    : tile<ptr<i32, <multicast>>>
    -> tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
%v = make_partition_view %t
    : partition_view<tile=(2), tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
%i = constant <i32: 0> : tile<i32>
%x = constant <i32: 1> : tile<2xi32>
%token = multimem_reduce_view_tko relaxed sys %v, %x[%i]
    attributes {reduction = #cuda_tile.multimem_reduction_kind<{}>}
    : partition_view<tile=(2), tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
      tile<2xi32>,
      tile<i32>
    -> token
",
                ..Notes::NONE
            },
            Notes {
                about: &["min", "max", "and", "or", "xor", "umin", "umax"],
                example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32, <multicast>>>
%t = make_tensor_view %p, shape = [4], strides = [1]
    : tile<ptr<i32, <multicast>>>
    -> tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
%v = make_partition_view %t
    : partition_view<tile=(2), tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
%i = constant <i32: 0> : tile<i32>
%x = constant <i32: 1> : tile<2xi32>
%token = multimem_reduce_view_tko relaxed sys %v, %x[%i]
    attributes {reduction = #cuda_tile.multimem_reduction_kind<{}>}
    : partition_view<tile=(2), tensor_view<4xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
      tile<2xi32>,
      tile<i32>
    -> token
",
                ..Notes::NONE
            },
        ],
    },
    EnumNotes {
        name: "ptr_attr",
        page: "ptr_attr",
        also: &["pointer attribute"],
        doc: "The kind of memory that a pointer points to. It is part of the types of pointers and tensor views; a missing attribute and \
              `none` are different types.",
        own: Notes {
            syntax: "ptr<f32, <multicast>>\ntensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>",
            rules: &[
                "It is written `<multicast>` in a pointer and `#cuda_tile.ptr_attr<multicast>` in a tensor view.",
                "`make_tensor_view` takes the attribute from its base pointer, and then also states the type of the pointer.",
                "`ptr_to_ptr` changes it.",
            ],
            example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<f32, <unicast>>>
%t = make_tensor_view %p, shape = [4], strides = [1]
    : tile<ptr<f32, <unicast>>>
    -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>
%plain = ptr_to_ptr %p : tile<ptr<f32, <unicast>>> -> tile<ptr<f32>>
",
            see: &["ptr", "tensor_view", "make_tensor_view"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["none", "unicast"],
                rules: &["Every op that accepts a pointer without an attribute also accepts one with it."],
                example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<f32, <{}>>>
%x, %token = load_ptr_tko weak %p : tile<ptr<f32, <{}>>> -> tile<f32>, token
",
                ..Notes::NONE
            },
            Notes {
                about: &["multicast"],
                rules: &[
                    "Only the multimem ops can access the memory, not loads, stores and atomic ops.",
                    "It needs a GPU with NVLink SHARP, such as `sm_100`.",
                ],
                example: "
%p = alloca num_elem = 4, alignment = 16 : tile<ptr<f32, <multicast>>>
%t = make_tensor_view %p, shape = [4], strides = [1]
    : tile<ptr<f32, <multicast>>>
    -> tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
%v = make_partition_view %t
    : partition_view<tile=(2), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
%i = constant <i32: 0> : tile<i32>
%x = constant <f32: 1.0> : tile<2xf32>
%token = multimem_reduce_view_tko relaxed sys %v, %x[%i]
    : partition_view<tile=(2), tensor_view<4xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>,
      tile<2xf32>,
      tile<i32>
    -> token
",
                see: &["multimem_load_reduce_view_tko", "multimem_reduce_view_tko", "multimem_store_view_tko"],
                ..Notes::NONE
            },
        ],
    },
    EnumNotes {
        name: "memory_ordering_semantics",
        page: "memory ordering",
        also: &["memory_ordering_semantics", "memory order", "memory model", "ordering"],
        doc: "How a memory op is ordered relative to accesses of other tile blocks, other devices and the host. Inside a tile block, \
              tokens order memory ops.",
        own: Notes {
            syntax: "load_ptr_tko weak %p : …\nload_ptr_tko acquire device %p : …",
            rules: &[
                "It comes first, followed by the scope: `acquire device`.",
                "`weak` has no scope; all others need one.",
                "Loads take `weak`, `relaxed` and `acquire`; stores `weak`, `relaxed` and `release`; atomics all but `weak`.",
                "If an `acquire` reads a value written by a `release`, all accesses before the `release` are visible after the `acquire`.",
            ],
            example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%flag, %token = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token
",
            see: &["memory scope", "token", "load_ptr_tko", "store_ptr_tko", "atomic_rmw_tko"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["weak"],
                syntax: "load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token",
                rules: &[
                    "It has no scope.",
                    "If another access can touch the same memory at the same time and either of them writes, the program has a data race, \
                     which is undefined behavior.",
                ],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%x = constant <i32: 7> : tile<i32>
%token = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
",
                see: &["token"],
            },
            Notes {
                about: &["relaxed"],
                syntax: "atomic_rmw_tko relaxed device %p, add, %x : …",
                rules: &[
                    "It needs a scope.",
                    "Use it for counters; use `release` and `acquire` to pass data to another tile block.",
                ],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%one = constant <i32: 1> : tile<i32>
%old, %token = atomic_rmw_tko relaxed device %p, add, %one
    : tile<ptr<i32>>, tile<i32>
    -> tile<i32>, token
",
                ..Notes::NONE
            },
            Notes {
                about: &["acquire"],
                syntax: "load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token",
                rules: &[
                    "It needs a scope.",
                    "Accesses that must happen later take its token.",
                    "Stores do not support it.",
                ],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%flag, %token = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token
",
                see: &["release"],
            },
            Notes {
                about: &["release"],
                syntax: "store_ptr_tko release device %p, %x token = %before : tile<ptr<i32>>, tile<i32> -> token",
                rules: &[
                    "It needs a scope.",
                    "It takes the token of accesses that must happen before it.",
                    "Loads do not support it.",
                ],
                example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%one = constant <i32: 1> : tile<i32>
%before = make_token : token
%token = store_ptr_tko release device %p, %one token = %before
    : tile<ptr<i32>>, tile<i32>
    -> token
",
                see: &["acquire"],
            },
            Notes {
                about: &["acq_rel"],
                syntax: "atomic_rmw_tko acq_rel device %p, xchg, %x : …",
                rules: &["It needs a scope.", "Only atomic ops support it."],
                example: "
%lock = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%taken = constant <i32: 1> : tile<i32>
%old, %token = atomic_rmw_tko acq_rel device %lock, xchg, %taken
    : tile<ptr<i32>>, tile<i32>
    -> tile<i32>, token
",
                see: &["acquire", "release"],
            },
        ],
    },
    EnumNotes {
        name: "memory_scope",
        page: "memory scope",
        also: &["memory_scope", "scope"],
        doc: "The set of accesses that the ordering of a memory op applies to.",
        own: Notes {
            syntax: "load_ptr_tko acquire device %p : …",
            rules: &[
                "It follows the ordering.",
                "`weak` accesses have no scope; all others need one.",
                "Two accesses synchronize only if the scope of each includes the other.",
            ],
            example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%x, %token = load_ptr_tko relaxed sys %p : tile<ptr<i32>> -> tile<i32>, token
",
            see: &["memory ordering", "token", "atomic_rmw_tko"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["tl_blk", "device", "sys"],
            syntax: "load_ptr_tko acquire {} %p : …",
            example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
%x, %token = load_ptr_tko acquire {} %p : tile<ptr<i32>> -> tile<i32>, token
",
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "padding_value",
        page: "padding_value",
        also: &["padding", "pad"],
        doc: "The value that a load returns for elements beyond the edge of the tensor.",
        own: Notes {
            syntax: "partition_view<tile=(8x8), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>",
            rules: &[
                "It is written between `tile=(…)` (or `traversal_strides`) and the tensor view.",
                "Without it, elements beyond the edge are unspecified rather than `zero`.",
                "All values except `zero` require a float element type.",
                "Stores skip elements beyond the edge. Before 13.5, atomic reductions do not support views with a padding value.",
            ],
            example: "
%p = alloca num_elem = 100, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [10, 10], strides = [10, 1]
    : tensor_view<10x10xf32, strides=[10,1]>
%v = make_partition_view %t
    : partition_view<tile=(8x8), padding_value = zero, tensor_view<10x10xf32, strides=[10,1]>>
",
            see: &["partition_view", "strided_view", "tile sizes", "inbounds"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["zero"],
                rules: &["A load returns it for elements beyond the edge of the tensor."],
                see: &["partition_view", "strided_view"],
                ..PADDED
            },
            Notes {
                about: &["neg_zero", "nan", "pos_inf", "neg_inf"],
                rules: &[
                    "A load returns it for elements beyond the edge of the tensor.",
                    "It requires a tensor view of floats.",
                ],
                see: &["partition_view", "strided_view"],
                ..PADDED
            },
        ],
    },
    EnumNotes {
        name: "symbol_visibility",
        page: "visibility",
        also: &["symbol_visibility"],
        doc: "Whether the host can find a `global` by its name.",
        own: Notes {
            syntax: "global private @table <f32: [1.0, 2.0]> : tile<2xf32>",
            rules: &["It follows the keyword `global` and defaults to `public`.", "Bytecode stores it from 13.3 on."],
            example: "
cuda_tile.module @example {
  global private @table <f32: [1.0, 2.0]> : tile<2xf32>

  entry @example() {
    %p = get_global @table : tile<ptr<f32>>
  }
}
",
            see: &["global", "get_global"],
            ..Notes::NONE
        },
        values: &[Notes {
            about: &["public", "private"],
            syntax: "global {} @table <f32: [1.0, 2.0]> : tile<2xf32>",
            example: "
cuda_tile.module @example {
  global {} @table <f32: [1.0, 2.0]> : tile<2xf32>

  entry @example() {
    %p = get_global @table : tile<ptr<f32>>
  }
}
",
            see: &["global"],
            ..Notes::NONE
        }],
    },
    EnumNotes {
        name: "assumption",
        page: "assume predicate",
        also: &["assumption", "predicate", "assumptions"],
        doc: "A fact about a value that the compiler can assume.",
        own: Notes {
            syntax: "assume div_by<16>, %p : tile<ptr<f32>>",
            rules: &[
                "The assumption applies to the result of `assume`: use it instead of the operand.",
                "If the assumption does not hold, the behavior is undefined; `tile run --sanitize` detects this.",
                "The prefixed form `#cuda_tile.div_by<16>` is equivalent.",
            ],
            example: "
%a = constant <i32: [16, 32]> : tile<2xi32>
%b = assume div_by<16>, %a : tile<2xi32>
%c = assume bounded<0, 64>, %b : tile<2xi32>
",
            see: &["assume", "overflow", "inbounds"],
            ..Notes::NONE
        },
        values: &[
            Notes {
                about: &["div_by"],
                syntax: "assume div_by<16>, %p : tile<ptr<f32>>\nassume div_by<16, every 4 along 0>, %i : tile<8xi32>",
                rules: &[
                    "The divisor is a power of two, at most 2^62.",
                    "It applies to tiles of integers or pointers, and to tensor views, where it describes the base pointer. For pointers, the \
                     divisor is in bytes.",
                    "`every … along …` requires a tile of rank 1 or more.",
                ],
                example: "
%p = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
%q = assume div_by<16>, %p : tile<ptr<f32>>
",
                see: &["alignment", "allow_tma"],
            },
            Notes {
                about: &["same_elements"],
                syntax: "assume same_elements<[1, 4]>, %i : tile<8x4xi32>",
                rules: &[
                    "It applies to tiles of integers or pointers.",
                    "There is one number for each dimension, at most its extent.",
                ],
                example: "
%a = constant <i32: [3, 3, 5, 5]> : tile<4xi32>
%b = assume same_elements<[2]>, %a : tile<4xi32>
",
                ..Notes::NONE
            },
            Notes {
                about: &["bounded"],
                syntax: "assume bounded<0, 64>, %n : tile<i32>\nassume bounded<0, ?>, %n : tile<i32>",
                rules: &[
                    "It applies to tiles of integers.",
                    "The bounds must fit the element type, and the first must not be greater than the second.",
                ],
                example: "
%n = constant <i32: 48> : tile<i32>
%m = assume bounded<0, ?>, %n : tile<i32>
",
                ..Notes::NONE
            },
        ],
    },
];
