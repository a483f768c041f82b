//! The SIMT preview: terms that its ops, types and attributes share.

use crate::preview::PREVIEW_VERSION;
use crate::{Notes, Term};

const PREVIEW: Term =
    Term { name: "", also: &[], kind: "preview term", doc: "", notes: Notes::NONE, since: Some(PREVIEW_VERSION) };

pub(super) const ROWS: &[Term] = &[
    Term {
        name: "SIMT preview",
        also: &["preview", "simt", "--preview"],
        doc: "Functions that are written for single threads, compiled separately, and called by a kernel with tiles. NVIDIA can change \
              the preview in any release, so it must be enabled explicitly.",
        notes: Notes {
            syntax: "tile check --preview simt kernel.tile\npreview = [\"simt\"]  # in tile.toml",
            rules: &[
                "`preview$func` declares a function, `preview$extern_impl` describes how it is compiled, `preview$call` calls it.",
                "Preview content is valid only in bytecode of version 13.5. The header of the file marks it.",
                "A kernel with calls is linked with a tile library: `tile build --emit cubin --preview simt -l LIBRARY`.",
                "The CPU engine cannot run a call, because the function's code is for a GPU.",
            ],
            example: "
cuda_tile.module @library {
  preview$func extern @double(
    %x: tile<32xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<32xf32>
}
",
            see: &["preview$call", "preview$func", "preview$extern_impl", "tile library", "fragment", "symbolic tile"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "tile library",
        also: &["tilelib", ".tilelib", "-l", "--library"],
        doc: "An object file with functions for `preview$call`: their interfaces, their implementations and the compiled code.",
        notes: Notes {
            syntax: "tile build --emit cubin --gpu sm_100 --preview simt -l math.tilelib kernel.tile\ntile dis --preview simt math.tilelib",
            rules: &[
                "The interface contains a `preview$func` for each function, the implementation a `preview$extern_impl`.",
                "The code of an implementation has the same name, followed by the value of each constant parameter, sorted by parameter \
                 name: `scale_impl__N32`.",
                "`tile dis` prints the interface and the implementations of a library.",
                "A function declared in a library must not be declared in the program too.",
            ],
            example: "
cuda_tile.module @library {
  preview$func extern @double(
    %x: tile<32xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<32xf32>
}
",
            see: &["SIMT preview", "preview$call", "preview$extern_impl"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "fragment",
        also: &["preview$fragment", "fragmap", "mem_layout", "preview$memory_space", "preview$layout"],
        doc: "The elements of a tile that belong to one thread, and their location in memory. The arguments of a `preview$extern_impl` \
              are fragments.",
        notes: Notes {
            syntax: "preview$fragment<4xf32, local, mem_layout = <(4):(1)>, fragmap = <(1, 32, 4):(0, 4, 1)>, alignment = 4>",
            rules: &[
                "`local`: every thread has its own copy, and the argument is a generic pointer to it. `smem`: the threads share \
                 one copy, and the argument is an address in shared memory.",
                "`mem_layout` maps each element to its position in memory: `(extents):(strides)`. The positions are 0, 1, … in some order.",
                "`fragmap` has three modes: invocation, participant and footprint. It maps them to the index of the element in the tile, in \
                 row-major order.",
                "The footprint has as many elements as the fragment. All arguments have the same number of invocations and of \
                 participants. In `smem`, the strides of the participants are 0.",
                "`alignment` is a power of two, in elements; it defaults to 1.",
            ],
            example: "
cuda_tile.module @library {
  preview$extern_impl @double_impl implements @double(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) synchronization = #cuda_tile<preview$synchronization<warp>>
}
",
            see: &["preview$extern_impl", "tile library", "symbolic tile"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "symbolic tile",
        also: &["preview$sym_t", "symbolic extent", "preview$symbolic_tuple"],
        doc: "A tile whose extents or element type depend on constant parameters of a `preview$func`.",
        notes: Notes {
            syntax: "tile<[N]xf32>\ntile<[N*2]x4x[(N+M)*2]xf32>\ntile<[N]xpreview$sym_t<T>>",
            rules: &[
                "An extent in brackets is an expression of numbers, constant parameters of type `index`, and builtins such as \
                 `context.num_warps`, with `+`, `-` and `*`. It has no division.",
                "An extent without brackets is a power of two, as in other tiles.",
                "`preview$sym_t<T>` is the element type given by the constant parameter `T`.",
                "A call passes tiles of known shapes, which its constant arguments determine.",
            ],
            example: "
cuda_tile.module @library {
  preview$func extern @scale<[N: index, T: !cuda_tile<preview$Datatype>]>(
    %x: tile<[N]xpreview$sym_t<T>> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<[N]xpreview$sym_t<T>>
}
",
            see: &["constant parameter", "preview$func", "fragment"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "constant parameter",
        also: &[
            "constant argument",
            "symbolic expression",
            "preview$Datatype",
            "preview$shape",
            "preview$string",
            "preview$const_param",
        ],
        doc: "A parameter of a `preview$func` whose value is known at compile time: a number, a shape, an element type or a string.",
        notes: Notes {
            syntax: "@f<[N: index, S: !cuda_tile<preview$shape>, T: !cuda_tile<preview$Datatype>, mode: !cuda_tile<preview$string>]>\n@f<[32, (4, 8), f32, \"up\"]>",
            rules: &[
                "A call passes a value for each, in order. It must match the parameter's type and cannot refer to other parameters.",
                "`a/b` rounds down and `a/+b` rounds up.",
                "A `preview$extern_impl` can pass on its own parameters: `@f_impl<[N: index]> implements @f<[N]>`. `?` matches any \
                 value: `@f_impl<[?]> implements @f<[?]>`.",
            ],
            example: "
cuda_tile.module @library {
  preview$func extern @scale<[N: index, mode: !cuda_tile<preview$string>]>(
    %x: tile<[N]xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<[N]xf32>
}
",
            see: &["symbolic tile", "preview$func", "preview$call"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "preview$access",
        also: &["access", "inout"],
        doc: "How a function of a tile library accesses an argument: `in`, `out` or `inout`.",
        notes: Notes {
            syntax: "{cuda_tile.preview$access = #cuda_tile<preview$access<in>>}",
            rules: &[
                "It is required for every argument of a `preview$func` and of a `preview$extern_impl`.",
                "`in`: the function reads the argument. `out`: the function writes it and does not read its previous contents. `inout`: both.",
                "The k-th result of the function is the k-th `out` or `inout` argument after the call.",
                "In an implementation, the `out` and `inout` arguments are consecutive.",
            ],
            example: "
cuda_tile.module @library {
  preview$func extern @double(
    %x: tile<32xf32> {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) -> tile<32xf32>
}
",
            see: &["preview$func", "preview$extern_impl", "SIMT preview"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
    Term {
        name: "preview$synchronization",
        also: &["warpgroup"],
        doc: "The group of threads that runs an implementation together: `none`, `warp`, `warpgroup` or `cta`.",
        notes: Notes {
            syntax: "synchronization = #cuda_tile<preview$synchronization<warp>>",
            rules: &[
                "The number of participants of each `fragmap` is a multiple of 32 for `warp`, a multiple of 128 for `warpgroup`, and all threads of the CTA for `cta`.",
            ],
            example: "
cuda_tile.module @library {
  preview$extern_impl @double_impl implements @double(
    %x: preview$fragment<1xf32, local, mem_layout = <(1):(1)>, fragmap = <(1, 32, 1):(0, 1, 0)>>
        {cuda_tile.preview$access = #cuda_tile<preview$access<inout>>}
  ) synchronization = #cuda_tile<preview$synchronization<warp>>
}
",
            see: &["preview$extern_impl", "fragment"],
            ..Notes::NONE
        },
        ..PREVIEW
    },
];
