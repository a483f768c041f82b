//! The words of directives, initializers and expectations.

use super::word::{Word, WordContext, word};
use tile_dialect::Notes;

pub(super) static WORDS: &[Word] = &[
    word(
        WordContext::Line,
        "launch",
        "launch grid=(${1:1}, ${2:1}, ${3:1})",
        "Begins a launch: one run of the entry below. The lines that follow belong to it, up to the next `launch`.",
        Notes {
            syntax: "//@ launch\n//@ launch \"small\" grid=(8, 1, 1)",
            rules: &[
                "Directives are comment lines that begin with `//@`, directly above an `entry`. Other tools ignore them.",
                "The name in quotes is optional; `tile run --launch small` runs the launch of that name.",
                "`grid=` is the number of tile blocks along x, y and z; without it, one block runs.",
                "Every parameter of the entry gets one line: a buffer for a pointer, a number for a scalar.",
                "A directive continues in the next `//@` line while a bracket is open, after an operator, and before an operator, a tolerance or a `\"`.",
            ],
            example: "
//@ launch \"small\" grid=(2, 1, 1)
//@   %x = f32[8] iota
//@   %n = 8
//@ expect %x == arange(8)
",
            see: &["bench", "grid", "argument", "forward", "expect"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Line,
        "bench",
        "bench \"${1:large}\" grid=(${2:1}, ${3:1}, ${4:1})",
        "Begins a launch for benchmarks, usually with large buffers: `tile bench` and `tile tune` run it, `tile test` does not.",
        Notes {
            syntax: "//@ bench \"16M\" grid=(16384, 1, 1)",
            rules: &[
                "It is written like a `launch`, with arguments and expectations; `tile run --launch 16M` runs it too.",
                "`tile bench` and `tile tune` use the launches of an entry that has no `bench`.",
                "Without expectations, `tile tune` compares the results of each candidate with those of the unchanged program.",
            ],
            example: "
//@ launch
//@   %x = f32[256] iota
//@ bench \"16M\" grid=(16384, 1, 1)
//@   %x = f32[16777216] iota
",
            see: &["launch", "grid", "argument", "expect"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Line,
        "expect",
        "expect ${1:%c} ~= $0",
        "An expectation that `tile test` checks: the content of buffers, the printed text, or a finding.",
        Notes {
            syntax: "//@ expect %c ~= %a + %b\n//@ expect %c == %a + %b\n//@ expect %l @ %l.T ~= %a\n\
                     //@ expect print \"done\\n\"\n//@ expect error R0302",
            rules: &[
                "`~=` compares within a tolerance (`rtol`, `atol`); `==` compares exactly.",
                "On the left is a buffer after the run, a slice of it such as `%c[0:4]`, or a formula of buffers after the run; on the right, arguments are as they were before it.",
                "A comparison on the left needs parentheses: `(%c[1:] >= %c[:-1]) == 1`.",
                "It belongs to the `launch` above it. A launch can have any number of expectations.",
            ],
            example: "
//@ launch
//@   %x = f32[4] [1, 2, 3, 4]
//@   %y = f32[4] [2, 4, 6, 8]
//@ expect %y ~= 2 * %x
",
            see: &["formula", "grad", "print", "error", "rtol", "launch"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Line,
        "forward",
        "forward @${1:k} grid=(${2:1}, ${3:1}, ${4:1})",
        "Names the kernel that the gradients of the launch differentiate. Without it, that is the launched entry itself.",
        Notes {
            syntax: "//@ forward @k\n//@ forward @k grid=(8, 1, 1)",
            rules: &[
                "The kernel is another entry of the same file. Its parameters get the arguments of the launch with the same names; the launch also lists arguments that only this kernel has.",
                "It runs with the arguments as they are before the run, with one element changed at a time, on the CPU engine.",
                "`grid=` is its grid; without it, one block runs.",
            ],
            example: "
cuda_tile.module @example {
  entry @double(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a, %loaded = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %b = addf %a, %a : tile<f32>
    %stored = store_ptr_tko weak %y, %b : tile<ptr<f32>>, tile<f32> -> token
  }

  //@ launch
  //@   %x = f32[1] [3]
  //@   %y = f32[1] zeros
  //@   %dx = f32[1] zeros
  //@ forward @double
  //@ expect grad(%y, %x) ~= %dx
  entry @double_backward(%dx: tile<ptr<f32>>) {
    %two = constant <f32: 2.0> : tile<f32>
    %stored = store_ptr_tko weak %dx, %two : tile<ptr<f32>>, tile<f32> -> token
  }
}
",
            see: &["grad", "launch", "expect"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Launch,
        "grid",
        "grid=(${1:1}, ${2:1}, ${3:1})",
        "The number of tile blocks along x, y and z. Without it, one block runs.",
        Notes {
            syntax: "//@ launch grid=(8, 4, 1)\n//@ launch grid=8",
            rules: &[
                "Omitted extents are 1.",
                "Each is between 1 and 16777215.",
                "`tile run --grid 8,4` overrides it.",
            ],
            example: "
//@ launch grid=(4, 2, 1)
//@   %n = 8
",
            see: &["launch", "get_tile_block_id", "get_num_tile_blocks"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "zeros",
        "zeros",
        "Fills the buffer with 0.",
        Notes {
            syntax: "//@   %x = f32[16, 64] zeros",
            example: "
//@ launch
//@   %x = f32[2, 2] zeros
//@ expect %x == [[0, 0], [0, 0]]
",
            see: &["argument", "ones", "fill"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "ones",
        "ones",
        "Fills the buffer with 1.",
        Notes {
            syntax: "//@   %x = f32[16, 64] ones",
            example: "
//@ launch
//@   %x = f32[4] ones
//@ expect %x == [1, 1, 1, 1]
",
            see: &["argument", "zeros", "fill"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "fill",
        "fill(${1:0})",
        "Fills the buffer with one number.",
        Notes {
            syntax: "//@   %x = f32[16, 64] fill(0.5)\n//@   %x = f32[16] fill(nan)",
            rules: &[
                "The element type must be able to represent the number; floats also accept `inf`, `-inf` and `nan`.",
            ],
            example: "
//@ launch
//@   %x = f32[4] fill(0.5)
//@ expect %x == [0.5, 0.5, 0.5, 0.5]
",
            see: &["argument", "zeros", "ones"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "iota",
        "iota",
        "Fills the buffer with 0, 1, 2, … in row-major order.",
        Notes {
            syntax: "//@   %x = i32[16, 64] iota",
            rules: &["Integers wrap around and floats are rounded if the element type cannot represent the number."],
            example: "
//@ launch
//@   %x = i32[2, 3] iota
//@ expect %x == [[0, 1, 2], [3, 4, 5]]
",
            see: &["argument", "arange"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "uniform",
        "uniform(${1:-1}, ${2:1}, seed=${3:1})",
        "Fills the buffer with uniformly distributed random numbers from the low bound up to, but not including, the high bound; whole numbers for integers.",
        Notes {
            syntax: "//@   %x = f32[1024] uniform(-1, 1, seed=1)",
            rules: &["The first bound is less than the second.", "A seed gives the same numbers on every machine."],
            example: "
//@ launch
//@   %x = f32[1024] uniform(0, 1, seed=1)
//@ expect %x == abs(%x)
",
            see: &["normal", "seed", "argument"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "normal",
        "normal(${1:0}, ${2:1}, seed=${3:1})",
        "Fills the buffer with normally distributed random numbers of this mean and standard deviation.",
        Notes {
            syntax: "//@   %x = f32[1024] normal(0, 1, seed=1)",
            rules: &["The element type must be a float type.", "A seed gives the same numbers on every machine."],
            example: "
//@ launch
//@   %x = f32[1024] normal(0, 1, seed=1)
//@ expect %x == %x
",
            see: &["uniform", "seed", "argument"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "npy",
        "npy(\"${1:data.npy}\")",
        "Fills the buffer from a NumPy file in the folder of the program. The file is read when the kernel runs.",
        Notes {
            syntax: "//@   %x = f32[1024] npy(\"x.npy\")",
            rules: &[
                "The file has the shape and the type of the directive: numbers are never converted.",
                "Types that NumPy lacks are stored as raw bits: `bf16` as `uint16`, floats of 8 and 4 bits as `uint8` (one element per byte), \
                 `tf32` as `float32`.",
            ],
            example: "
//@ launch
//@   %x = f32[4] npy(\"x.npy\")
//@ expect %x == npy(\"x.npy\")
",
            see: &["argument", "save"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "strides",
        "strides=[${1:1}] ",
        "The distance between neighbors along each dimension of the buffer, in elements. Without it, the buffer is row-major.",
        Notes {
            syntax: "//@   %x = f32[16, 64] strides=[80, 1] zeros",
            rules: &["It follows the shape and has one positive number for each dimension."],
            example: "
//@ launch
//@   %x = f32[2, 3] strides=[4, 1] iota
//@ expect %x == [[0, 1, 2], [3, 4, 5]]
",
            see: &["argument", "make_tensor_view"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Init,
        "replicas",
        "replicas=${1:2} ",
        "The number of replicas of the buffer, as in the memory of that many GPUs. A multicast pointer refers to the same element of all of them.",
        Notes {
            syntax: "//@   %x = f32[64] replicas=4 uniform(-1, 1, seed=1)\n//@   %x = f32[2] replicas=2 [[1, 2], [3, 4]]\n\
                     //@   %x = f32[64] replicas=3 [zeros, iota, npy(\"x.npy\")]",
            rules: &[
                "It follows the shape. Without it, there is one replica, and no dimension for it.",
                "In formulas and files the replicas are the outermost dimension: `%x[2]` is replica 2, `sum(%x, axis=0)` the sum of all.",
                "The buffer is filled as one array with this outermost dimension: `iota` continues from one replica to the next. A list has an entry for each replica.",
                "A parameter that is a multicast pointer gets all replicas, any other pointer replica 0. `&%x[1]` is the address of replica 1.",
                "One GPU has no multicast memory: a launch with several replicas, or with a multicast pointer, runs on the CPU engine only.",
            ],
            example: "
//@ launch
//@   %x = f32[2] replicas=3 [[1, 2], [3, 4], iota]
//@ expect %x[1] == [3, 4]
//@ expect %x == [[1, 2], [3, 4], [0, 1]]
",
            see: &["argument", "strides", "address", "expect", "multimem_load_reduce_view_tko"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Address,
        "multicast",
        "multicast(%${1:x})",
        "The address of the multicast object of a buffer, which refers to the same element of all its replicas.",
        Notes {
            syntax: "//@   %all = multicast(%x)\n//@   %list = i64[2] [multicast(%x), multicast(%y) + 64]",
            rules: &[
                "It is for multicast pointers, and for `i64` values that the kernel converts to them.",
                "It differs from the addresses of the replicas: only `multimem` ops can use it.",
                "A buffer without `replicas=` has one replica.",
            ],
            example: "
//@ launch
//@   %x = f32[64] replicas=2 zeros
//@   %all = multicast(%x)
",
            see: &["address", "replicas", "argument"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Expect,
        "print",
        "print \"$1\\\\n\"",
        "The text that the run prints, with the tile blocks in the order of the grid.",
        Notes {
            syntax: "//@ expect print \"block 0\\n\"",
            rules: &[
                "Adjacent strings are concatenated; each can begin a new `//@` line.",
                "Escapes are `\\n`, `\\t`, `\\r`, `\\0`, `\\\"`, `\\\\` and `\\u{20AC}`.",
            ],
            example: "
cuda_tile.module @example {
  //@ launch grid=(2, 1, 1)
  //@ expect print \"block 0\\n\"
  //@   \"block 1\\n\"
  entry @example() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    print_tko \"block %i\\n\", %x : tile<i32> -> token
  }
}
",
            see: &["expect", "print_tko"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Expect,
        "error",
        "error ${1:R0107}",
        "The finding that the run must end with, by its code. Such a launch is run with the sanitizer.",
        Notes {
            syntax: "//@ expect error R0302",
            rules: &["`tile explain R0302` describes the finding."],
            example: "
cuda_tile.module @example {
  //@ launch
  //@   %n = 5
  //@ expect error R0302
  entry @example(%n: tile<i32>) {
    %even = assume div_by<2>, %n : tile<i32>
    print_tko \"%i\\n\", %even : tile<i32> -> token
  }
}
",
            see: &["expect", "assert", "assume"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Side,
        "grad",
        "grad(%${1:loss}, %${2:x})",
        "The gradient of a kernel, by finite differences: the derivative of the buffer that it computes by each element of an input.",
        Notes {
            syntax: "//@ expect grad(%loss, %x) ~= %dx\n//@ expect %dx ~= grad(%loss, %x) rtol=1e-2\n//@ expect grad(%y, %x, %dy) ~= %dx",
            rules: &[
                "It is a whole side of `~=`. On the other side, buffers are as they are after the run: `%dx` is what the launched kernel has written.",
                "`%loss` has one element. `grad(%y, %x, %dy)` is the gradient of `sum(%y * %dy)`: a vector-Jacobian product.",
                "The kernel is the launched entry, or the one that `forward` names. It runs several times for each element of `%x`, of which there can be 4096.",
                "The element types are `f64`, `f32`, `tf32`, `f16` or `bf16`.",
                "The default tolerance is that of the least precise element type: `rtol=1e-6 atol=1e-8` for `f64`, 1e-3 and 1e-4 for `f32`, 2e-2 and 2e-3 for `f16` and `tf32`, 1e-1 and 1e-2 for `bf16`.",
            ],
            example: "
cuda_tile.module @example {
  //@ launch
  //@   %x = f32[1] [3]
  //@   %y = f32[1] zeros
  //@ expect grad(%y, %x) ~= 2 * %x
  entry @square(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %a, %loaded = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %b = mulf %a, %a : tile<f32>
    %stored = store_ptr_tko weak %y, %b : tile<ptr<f32>>, tile<f32> -> token
  }
}
",
            see: &["forward", "expect", "rtol", "formula"],
            ..Notes::NONE
        },
    ),
    word(
        WordContext::Tolerance,
        "rtol",
        "rtol=${1:1e-3}",
        "The relative tolerance of `~=`. The default depends on the element type.",
        TOLERANCE,
    ),
    word(
        WordContext::Tolerance,
        "atol",
        "atol=${1:1e-5}",
        "The absolute tolerance of `~=`. The default depends on the element type.",
        TOLERANCE,
    ),
];

const TOLERANCE: Notes = Notes {
    syntax: "//@ expect %y ~= 2 * %x rtol=1e-3 atol=1e-5",
    rules: &[
        "An element passes if it differs from the expected one by at most `atol + rtol * |expected|`.",
        "The defaults are 1e-5 and 1e-6 for `f32`, 1e-3 and 1e-4 for `f16` and `tf32`, 1e-2 and 1e-3 for `bf16`, 0 for integers.",
    ],
    example: "
//@ launch
//@   %x = f32[2] [1, 2]
//@   %y = f32[2] [2.001, 4]
//@ expect %y ~= 2 * %x {}=1e-2
",
    see: &["expect", "formula"],
    ..Notes::NONE
};
