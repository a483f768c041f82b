//! Types, and the parts that views are made of.

use crate::{Notes, Term, Version};

const TYPE: Term = Term { name: "", also: &[], kind: "type", doc: "", notes: Notes::NONE, since: Some(Version::V13_1) };

const PART: Term = Term { kind: "view parameter", ..TYPE };

pub(super) const TYPES: &[Term] = &[
    Term {
        name: "tile",
        also: &["scalar", "rank 0"],
        doc: "A block of elements that an op computes with as a whole. The shape and the element type are part of the type, so both \
              are known at compile time. A tile of rank 0, such as `tile<f32>`, is a scalar.",
        notes: Notes {
            syntax: "tile<f32>\ntile<8x64xf32>\ntile<8xptr<f32>>",
            rules: &[
                "Every extent is a power of two, and a tile has at most 16777216 elements (see `tile sizes`).",
                "The elements are numbers of one element type, or pointers.",
                "A tile of `f4E2M1FN` has an even number of elements, because two of them share a byte.",
                "Types are equal only if shape and element are. Nothing is converted or broadcast implicitly: use `broadcast`, \
                 `reshape` or a conversion such as `ftof`.",
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
                "It points to one element type; pointers to pointers and to `i4` do not exist.",
                "A pointer has 64 bits.",
                "`offset` moves a pointer by elements, not by bytes.",
                "`ptr_to_ptr` changes what it points to; `ptr_to_int` and `int_to_ptr` convert the address. `bitcast` takes no pointers.",
                "An address that is used must be a multiple of the element's size and lie inside an allocation.",
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
        doc: "Device memory seen as a tensor: an element type, and an extent and a stride for each dimension. It is a description \
              that holds no data. Tiles are loaded and stored through the views made from it, such as a `partition_view`.",
        notes: Notes {
            syntax: "tensor_view<?x64xf32, strides=[64,1]>\ntensor_view<f32>",
            rules: &[
                "An extent is a positive number or `?`, which stands for a value known only when the program runs. It need not be a \
                 power of two.",
                "`strides` is required unless the rank is 0, and has a positive number or `?` for each dimension.",
                "The elements are numbers of any type but `i4`.",
                "`4` and `?` are different types: nothing converts one into the other.",
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
        doc: "A tensor cut into tiles of one shape that lie side by side. The tile at index `[i, j]` of `tile=(AxB)` starts at element \
              `[i*A, j*B]` of the tensor.",
        notes: Notes {
            syntax: "partition_view<tile=(8x8), tensor_view<?x64xf32, strides=[64,1]>>\n\
                     partition_view<tile=(8x8), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>",
            rules: &[
                "The parts come in this order: `tile=`, `padding_value`, the tensor view, `dim_map`. `padding_value` and `dim_map` are \
                 optional.",
                "`tile=(…)` has one extent for each dimension of the tensor, all powers of two (see `tile sizes`). A tile may be larger than \
                 the tensor.",
                "The index space has ceil(extent / tile extent) tiles along each dimension. An index outside of it is undefined behaviour.",
                "At the edge, a load reads the padding value and a store leaves out what lies outside the tensor.",
                "Indices are scalars, one for each dimension, all of one integer type, and are read as unsigned.",
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
        doc: "A tensor cut into tiles of one shape that start at chosen steps. The tile at index `[i, j]` of \
              `traversal_strides=[S,T]` starts at element `[i*S, j*T]` of the tensor, so tiles can overlap or leave gaps.",
        notes: Notes {
            syntax: "strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xf32, strides=[64,1]>>",
            rules: &[
                "`traversal_strides` has one positive number for each dimension of the tile; it need not be a power of two.",
                "Everything else is as in a `partition_view`, which steps by the extents of its tile.",
                "The index space has ceil(extent / step) tiles along each dimension.",
                "Where steps are smaller than the tile, two tile blocks that store neighbouring tiles race.",
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
        doc: "A tensor whose tiles are put together from rows (or other slices) that are picked one by one along one dimension. A load \
              gathers them, a store scatters them.",
        notes: Notes {
            syntax: "gather_scatter_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>",
            rules: &[
                "`sparse_dim` is required: it is the dimension along which the slices are picked.",
                "The index along `sparse_dim` is a tile of rank 1 with one number for each slice, so its length is the tile's extent there.",
                "An index along `sparse_dim` that is outside the tensor, read as unsigned, leaves its slice out: a load gives the padding value, a store skips it. At least one index must be inside.",
                "The other indices are scalars of one integer type. They count elements, not tiles.",
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
        doc: "An ordering token: it holds no data, but puts memory ops in order. Ops whose names end in `_tko` return one and may take one. \
              Two of them that no chain of tokens connects have no order, whatever their order in the text.",
        notes: Notes {
            syntax: "token\ntoken = %before",
            rules: &[
                "A load that must see an earlier store takes the token of that store (or one that comes after it).",
                "`make_token` starts a chain and `join_tokens` merges several.",
                "Tokens can be carried by loops and returned by `if`.",
                "`tile run --sanitize` finds accesses that lack an order.",
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
        doc: "How far neighbours along each dimension of a `tensor_view` lie apart in memory, counted in elements. \
              `strides=[64,1]` means that rows of 64 elements follow one another.",
        notes: Notes {
            syntax: "tensor_view<?x64xf32, strides=[64,1]>\nstrides = [%n, 1]",
            rules: &[
                "There is one positive number or `?` for each dimension; a tensor view of rank 0 has no strides.",
                "The stride of row-major rows is the number of columns: a tensor of M x N elements has strides N and 1.",
                "Any order is allowed (`strides=[1,8]` is column-major), and elements may overlap.",
                "In `make_tensor_view`, numbers must equal those of the type, and values face its `?`.",
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
        doc: "Which dimension of the tensor each dimension of the tile lies along. `dim_map=[1, 0]` cuts a tensor into transposed tiles: \
              rows of the tile run along columns of the tensor.",
        notes: Notes {
            syntax: "partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1]>, dim_map=[1, 0]>",
            rules: &[
                "It comes last, after the tensor view, in a `partition_view` or a `strided_view`.",
                "It is a permutation of the dimensions, counted from 0: number k is the dimension of the tensor that dimension k of the tile \
                 lies along.",
                "Left out, it is the identity `[0, 1, …]`, which printers leave out too.",
                "Indices and the index space are in the order of the tile's dimensions.",
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
        doc: "How many elements apart the tiles of a `strided_view` start, along each of its dimensions.",
        notes: Notes {
            syntax: "strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xf32, strides=[64,1]>>",
            rules: &[
                "There is one positive number for each dimension of the tile.",
                "Less than the tile's extent, tiles overlap; more, they leave elements out.",
                "They count elements of the tensor, unlike `strides`, which count elements of memory.",
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
        doc: "The dimension along which the tile of a `gather_scatter_view` is put together from slices that are picked one by one.",
        notes: Notes {
            syntax: "gather_scatter_view<tile=(8x64), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>",
            rules: &[
                "It is required, comes last, and is less than the rank; dimensions count from 0.",
                "The index along it is a tile of rank 1, one number for each slice.",
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
