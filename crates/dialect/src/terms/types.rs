//! Types, and the parameters of views.

use crate::{Notes, Term, Version};

const TYPE: Term = Term { name: "", also: &[], kind: "type", doc: "", notes: Notes::NONE, since: Some(Version::V13_1) };

const PART: Term = Term { kind: "view parameter", ..TYPE };

pub(super) const TYPES: &[Term] = &[
    Term {
        name: "tile",
        also: &["scalar", "rank 0"],
        doc: "A block of elements that ops process as a whole. Its shape and element type are part of the type, so both are known at \
              compile time. A tile of rank 0, such as `tile<f32>`, is a scalar.",
        notes: Notes {
            syntax: "tile<f32>\ntile<8x64xf32>\ntile<8xptr<f32>>",
            rules: &[
                "Every extent is a power of two, and a tile has at most 16777216 elements (see `tile sizes`).",
                "The elements are numbers of one element type, or pointers.",
                "A tile of `f4E2M1FN` has an even number of elements, because two elements share a byte.",
                "Types are equal only if their shapes and element types are. There are no implicit conversions or broadcasts: use \
                 `broadcast`, `reshape` or a conversion such as `ftof`.",
                "Parameters of an entry are tiles of rank 0.",
            ],
            example: "
%a = iota : tile<8xi32>
%b = reshape %a : tile<8xi32> -> tile<2x4xi32>
%half = constant <f32: 0.5> : tile<f32>
",
            see: &["tile sizes", "ptr", "reshape", "broadcast", "constant"],
            ..Notes::NONE
        },
        ..TYPE
    },
    Term {
        name: "ptr",
        also: &["pointer"],
        doc: "The address of an element in device memory. Ops take pointers in tiles: `tile<ptr<f32>>` is one pointer, \
              `tile<8xptr<f32>>` is eight.",
        notes: Notes {
            syntax: "tile<ptr<f32>>\ntile<8xptr<f32>>",
            rules: &[
                "It points to a single element type; there are no pointers to pointers or to `i4`.",
                "A pointer has 64 bits.",
                "`offset` moves a pointer by elements, not by bytes.",
                "`ptr_to_ptr` changes the type it points to; `ptr_to_int` and `int_to_ptr` convert the address. `bitcast` does not support pointers.",
                "An accessed address must be a multiple of the element's size and inside an allocation.",
            ],
            example: "
%base = alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>
%one = reshape %base : tile<ptr<f32>> -> tile<1xptr<f32>>
%all = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>
%i = iota : tile<8xi32>
%p = offset %all, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
",
            see: &["tile", "offset", "load_ptr_tko", "store_ptr_tko", "make_tensor_view"],
            ..Notes::NONE
        },
        ..TYPE
    },
    Term {
        name: "tensor_view",
        doc: "A view of device memory as a tensor: an element type, and an extent and a stride for each dimension. It only describes \
              the memory. Tiles are loaded and stored through views made from it, such as a `partition_view`.",
        notes: Notes {
            syntax: "tensor_view<?x64xf32, strides=[64,1]>\ntensor_view<f32>",
            rules: &[
                "An extent is a positive number or `?`, which means that it is known only at run time. It need not be a power of two.",
                "`strides` is required unless the rank is 0, and has a positive number or `?` for each dimension.",
                "The elements are numbers of any type except `i4`.",
                "An extent of `4` and one of `?` are different types, and there is no conversion between them.",
                "Loops and `if` cannot carry or return views.",
            ],
            example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%rows = constant <i32: 8> : tile<i32>
%t = make_tensor_view %p, shape = [%rows, 8], strides = [8, 1]
    : tile<i32>
    -> tensor_view<?x8xf32, strides=[8,1]>
",
            see: &["make_tensor_view", "strides", "dynamic extent", "partition_view", "get_tensor_shape"],
            ..Notes::NONE
        },
        ..TYPE
    },
    Term {
        name: "partition_view",
        doc: "A view that divides a tensor into adjacent tiles of the same shape. The tile at index `[i, j]` of `tile=(AxB)` starts at element \
              `[i*A, j*B]` of the tensor.",
        notes: Notes {
            syntax: "partition_view<tile=(8x8), tensor_view<?x64xf32, strides=[64,1]>>\n\
                     partition_view<tile=(8x8), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>",
            rules: &[
                "The order of its parts is fixed: `tile=`, `padding_value`, the tensor view, `dim_map`. `padding_value` and `dim_map` are \
                 optional.",
                "`tile=(…)` has one extent for each dimension of the tensor, all powers of two (see `tile sizes`). A tile can be larger than \
                 the tensor.",
                "The index space has ceil(extent / tile extent) tiles along each dimension. An index outside the index space is undefined behavior.",
                "For elements outside the tensor, a load returns the padding value and a store has no effect.",
                "Indices are scalars, one for each dimension, all of the same integer type, and are unsigned.",
            ],
            example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
%v = make_partition_view %t : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
%i = constant <i32: 1> : tile<i32>
%x, %token = load_view_tko weak %v[%i, %i]
    : partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>, tile<i32>
    -> tile<4x4xf32>, token
",
            see: &[
                "make_partition_view",
                "tensor_view",
                "padding_value",
                "dim_map",
                "index space",
                "strided_view",
                "load_view_tko",
            ],
            ..Notes::NONE
        },
        ..TYPE
    },
    Term {
        name: "strided_view",
        doc: "A view that divides a tensor into tiles of the same shape that start at given steps. The tile at index `[i, j]` of \
              `traversal_strides=[S,T]` starts at element `[i*S, j*T]` of the tensor, so tiles can overlap or leave gaps.",
        notes: Notes {
            syntax: "strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xf32, strides=[64,1]>>",
            rules: &[
                "`traversal_strides` has one positive number for each dimension of the tile; it need not be a power of two.",
                "Everything else is as in a `partition_view`, where the steps are the extents of the tile.",
                "The index space has ceil(extent / step) tiles along each dimension.",
                "If the steps are smaller than the tile, tile blocks that store to neighboring tiles race.",
            ],
            example: "
%p = alloca num_elem = 16, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
%v = make_strided_view %t
    : strided_view<tile=(8), traversal_strides=[4], tensor_view<16xf32, strides=[1]>>
%i = constant <i32: 1> : tile<i32>
%x, %token = load_view_tko weak %v[%i]
    : strided_view<tile=(8), traversal_strides=[4], tensor_view<16xf32, strides=[1]>>, tile<i32>
    -> tile<8xf32>, token
",
            see: &["make_strided_view", "traversal_strides", "partition_view", "index space"],
            ..Notes::NONE
        },
        since: Some(Version::V13_3),
        ..TYPE
    },
    Term {
        name: "gather_scatter_view",
        also: &["gather", "scatter"],
        doc: "A view of a tensor whose tiles consist of rows (or other slices) that are selected individually along one dimension. A load \
              gathers them, a store scatters them.",
        notes: Notes {
            syntax: "gather_scatter_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>",
            rules: &[
                "`sparse_dim`, the dimension along which the slices are selected, is required.",
                "The index along `sparse_dim` is a tile of rank 1 with one number for each slice, so its length is the extent of the tile along that dimension.",
                "If an index along `sparse_dim`, which is unsigned, is outside the tensor, a load returns the padding value for that slice and a store skips it. At least one index must be inside.",
                "The other indices are scalars of the same integer type. They count elements, not tiles.",
                "There is no `dim_map`.",
            ],
            example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
%v = make_gather_scatter_view %t
    : gather_scatter_view<tile=(2x8), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
%rows = constant <i32: [6, 1]> : tile<2xi32>
%column = constant <i32: 0> : tile<i32>
%x, %token = load_view_tko weak %v[%rows, %column]
    : gather_scatter_view<tile=(2x8), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>,
      tile<2xi32>,
      tile<i32>
    -> tile<2x8xf32>, token
",
            see: &["make_gather_scatter_view", "sparse_dim", "partition_view"],
            ..Notes::NONE
        },
        since: Some(Version::V13_3),
        ..TYPE
    },
    Term {
        name: "token",
        also: &["token order", "tko"],
        doc: "A value without data that orders memory ops. Ops whose names end in `_tko` return a token and can take one. Two such ops that \
              are not connected by a chain of tokens are unordered, regardless of their order in the text.",
        notes: Notes {
            syntax: "token\ntoken = %before",
            rules: &[
                "A load that must see an earlier store takes the token of that store (or one derived from it).",
                "`make_token` starts a chain and `join_tokens` merges several.",
                "Tokens can be carried by loops and returned by `if`.",
                "`tile run --sanitize` detects missing tokens between conflicting accesses.",
            ],
            example: "
%p = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>>
%x = constant <f32: 1.5> : tile<f32>
%stored = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
%y, %loaded = load_ptr_tko weak %p token = %stored : tile<ptr<f32>> -> tile<f32>, token
",
            see: &["make_token", "join_tokens", "memory ordering", "memory scope"],
            ..Notes::NONE
        },
        ..TYPE
    },
];

pub(super) const PARTS: &[Term] = &[
    Term {
        name: "strides",
        also: &["stride", "row-major"],
        doc: "The distance in memory, in elements, between neighbors along each dimension of a `tensor_view`. \
              `strides=[64,1]` describes consecutive rows of 64 elements.",
        notes: Notes {
            syntax: "tensor_view<?x64xf32, strides=[64,1]>\nstrides = [%n, 1]",
            rules: &[
                "There is one positive number or `?` for each dimension; a tensor view of rank 0 has no strides.",
                "A row-major tensor of M x N elements has the strides N and 1.",
                "Any order is allowed (`strides=[1,8]` is column-major), and elements can overlap.",
                "In `make_tensor_view`, numbers must equal those of the type, and each `?` of the type needs a value.",
            ],
            example: "
%p = alloca num_elem = 32, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [4, 8], strides = [1, 4] : tensor_view<4x8xf32, strides=[1,4]>
",
            see: &["tensor_view", "make_tensor_view", "traversal_strides", "dynamic extent"],
            ..Notes::NONE
        },
        ..PART
    },
    Term {
        name: "dim_map",
        doc: "The tensor dimension that each tile dimension maps to. `dim_map=[1, 0]` divides a tensor into transposed tiles: \
              rows of the tile run along columns of the tensor.",
        notes: Notes {
            syntax: "partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[1, 0]>",
            rules: &[
                "It comes last, after the tensor view, in a `partition_view` or a `strided_view`.",
                "It is a permutation of the dimensions, counted from 0: number k is the tensor dimension that tile dimension k maps to.",
                "It defaults to the identity `[0, 1, …]`, which printers omit.",
                "Indices and the index space use the order of the tile's dimensions.",
            ],
            example: "
%p = alloca num_elem = 128, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 16], strides = [16, 1]
    : tensor_view<8x16xf32, strides=[16,1]>
%v = make_partition_view %t
    : partition_view<tile=(4x8), tensor_view<8x16xf32, strides=[16,1]>, dim_map=[1, 0]>
",
            see: &["partition_view", "strided_view", "permute", "index space"],
            ..Notes::NONE
        },
        ..PART
    },
    Term {
        name: "traversal_strides",
        doc: "The distance between the starts of neighboring tiles of a `strided_view` along each dimension, in elements.",
        notes: Notes {
            syntax: "strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xf32, strides=[64,1]>>",
            rules: &[
                "There is one positive number for each dimension of the tile.",
                "If a number is less than the tile's extent, tiles overlap; if it is greater, there are gaps between them.",
                "They count elements of the tensor, unlike `strides`, which count elements in memory.",
            ],
            example: "
%p = alloca num_elem = 16, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
%v = make_strided_view %t
    : strided_view<tile=(4), traversal_strides=[2], tensor_view<16xf32, strides=[1]>>
",
            see: &["strided_view", "strides", "index space"],
            ..Notes::NONE
        },
        since: Some(Version::V13_3),
        ..PART
    },
    Term {
        name: "sparse_dim",
        doc: "The dimension along which the slices of a `gather_scatter_view` tile are selected individually.",
        notes: Notes {
            syntax: "gather_scatter_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>",
            rules: &[
                "It is required, comes last, and is less than the rank; dimensions are counted from 0.",
                "The index along it is a tile of rank 1 with one number for each slice.",
            ],
            example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
%v = make_gather_scatter_view %t
    : gather_scatter_view<tile=(8x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=1>
",
            see: &["gather_scatter_view", "make_gather_scatter_view"],
            ..Notes::NONE
        },
        since: Some(Version::V13_3),
        ..PART
    },
];
