//! Concepts that apply to many ops and types, and the notation of programs.

use crate::{Notes, Term, Version};

const CONCEPT: Term =
    Term { name: "", also: &[], kind: "concept", doc: "", notes: Notes::NONE, since: Some(Version::V13_1) };

pub(super) const ROWS: &[Term] = &[
    Term {
        name: "versions",
        also: &["version", "target version"],
        doc: "Tile IR has versions, such as 13.4. Each adds ops, attributes, types and values to the previous one; a few ops have \
              another name in older versions. `tile doc versions` shows tables of what each version supports.",
        notes: Notes {
            rules: &[
                "A program is checked against the newest version, unless `--target-version` specifies another one.",
                "Bytecode contains its version. A tool reads all versions up to its own.",
                "Newer tools can reject older bytecode that their predecessors accepted: see the lint L0013.",
                "In 13.1, the op of the example was called `print`.",
            ],
            example: "
%x = iota : tile<4xi32>
print_tko \"x = %i\\n\", %x : tile<4xi32> -> token
",
            see: &["module", "entry", "optimization_hints"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "tile sizes",
        also: &["tile size", "powers of two", "power of two", "shape", "tile="],
        doc: "Every extent of a tile is a power of two, and a tile has at most 16777216 (2^24) elements. Data of other sizes is divided \
              into tiles that extend beyond its edge.",
        notes: Notes {
            syntax: "tile<64x32xf32>\npartition_view<tile=(64x32), tensor_view<1000x700xf32, strides=[700,1]>>",
            rules: &[
                "Extents are numbers: the shape of a tile is always known at compile time.",
                "The same applies to `tile=(…)` of a view. The underlying tensor can have any extents.",
                "Loads through a view handle the edge (see `padding_value`); loads through pointers need a mask.",
                "A tile of `f4E2M1FN` has an even number of elements.",
                "Because extents are powers of two, `cat` can only join tiles of equal extent along its dimension.",
            ],
            example: "
%i = iota : tile<128xi32>
%n = constant <i32: 100> : tile<128xi32>
%mask = cmpi less_than %i, %n, signed : tile<128xi32> -> tile<128xi1>
",
            see: &["tile", "partition_view", "padding_value", "cmpi"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "parameter attributes",
        also: &["argument attributes", "arg_attrs", "parameter attribute"],
        doc: "Facts about the parameters of an entry, in a dictionary after the type of each. They are meant for compilers and host \
              programs and do not affect the ops.",
        notes: Notes {
            syntax: "entry @k(%a: tile<ptr<f32>> {cuda_tile.div_by = #cuda_tile.div_by<16>}, %n: tile<i32>)",
            rules: &[
                "Every name has the prefix of a dialect, such as `cuda_tile.` or your own.",
                "NVIDIA's compiler ignores `cuda_tile.div_by`: only an `assume` in the body changes the code.",
                "From 13.5 on, bytecode stores them: truth values, numbers, strings, types, lists, dictionaries, hints and the predicates of \
                 `assume`.",
                "Older bytecode cannot store them, which `tile build` reports.",
            ],
            example: "
cuda_tile.module @kernels {
  //@ launch
  //@   %out = i32[1] zeros
  //@   %value = 7
  //@ expect %out == 7
  entry @store(
    %out: tile<ptr<i32>> {cuda_tile.div_by = #cuda_tile.div_by<16>},
    %value: tile<i32> {host.range = [0, 100]}
  ) {
    store_ptr_tko weak %out, %value : tile<ptr<i32>>, tile<i32> -> token
  }
}
",
            see: &["entry", "assume", "div_by"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "index space",
        also: &["index_space", "tile index"],
        doc: "The valid tile indices of a view. `get_index_space_shape` returns how many there are along each dimension.",
        notes: Notes {
            syntax: "%v[%i, %j]",
            rules: &[
                "A `partition_view` has ceil(extent / tile extent) tiles along a dimension, a `strided_view` ceil(extent / step).",
                "An index outside the index space is undefined behavior, while a tile that extends beyond the edge of the tensor is allowed.",
                "Indices are unsigned.",
                "With a `dim_map`, its dimensions are those of the tile, not of the tensor.",
                "A `gather_scatter_view` is indexed by element: its index space is the tensor's. Along its sparse dimension, some of the indices can be outside.",
            ],
            example: "
%p = alloca num_elem = 100, alignment = 4 : tile<ptr<f32>>
%t = make_tensor_view %p, shape = [10, 10], strides = [10, 1]
    : tensor_view<10x10xf32, strides=[10,1]>
%v = make_partition_view %t : partition_view<tile=(4x8), tensor_view<10x10xf32, strides=[10,1]>>
%rows, %columns = get_index_space_shape %v
    : partition_view<tile=(4x8), tensor_view<10x10xf32, strides=[10,1]>>
    -> tile<i32>
",
            see: &["get_index_space_shape", "partition_view", "strided_view", "inbounds", "get_tile_block_id"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "dynamic extent",
        also: &["?", "dynamic stride", "dynamic shape"],
        doc: "A `?` in a `tensor_view`: an extent or a stride that is known only at run time.",
        notes: Notes {
            syntax: "tensor_view<?x?xf32, strides=[?,1]>",
            rules: &[
                "`make_tensor_view` has a value for each `?`, at the same position of `shape` and `strides`. All of these values are scalars \
                 of the same integer type, which is written before `->`.",
                "At run time, extents must not be negative and strides must be positive.",
                "Tiles cannot have dynamic extents.",
                "In `bounded<…>`, `?` leaves a bound open.",
            ],
            example: "
%p = alloca num_elem = 64, alignment = 4 : tile<ptr<f32>>
%m = constant <i32: 4> : tile<i32>
%n = constant <i32: 16> : tile<i32>
%t = make_tensor_view %p, shape = [%m, %n], strides = [%n, 1]
    : tile<i32>
    -> tensor_view<?x?xf32, strides=[?,1]>
",
            see: &["tensor_view", "make_tensor_view", "get_tensor_shape"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "literal",
        also: &["number", "constant value", "float literal", "hex"],
        doc: "The notation of numbers in a `constant`, a `global` and in identities. An operand is always a value such as `%x`; use \
              `constant` to make a value from a number.",
        notes: Notes {
            syntax: "<i32: -7>\n<f32: 1.0e-3>\n<f32: 0x7FC00000>\n<i1: true>\n<i32: [[1, 2], [3, 4]]>",
            rules: &[
                "A float has a decimal point: `1.0` or `1.0e5`, not `1` or `1e5`.",
                "A hexadecimal number for a float is its bit pattern; this is how NaN and infinities are written.",
                "An integer must be in the signed or the unsigned range of its width: -128 to 255 for `i8`.",
                "`i1` has the values `true` and `false`.",
                "A single number fills the whole tile; a nested list must have the shape of the tile.",
            ],
            example: "
%a = constant <f32: 1.0e-3> : tile<8xf32>
%inf = constant <f32: 0x7F800000> : tile<f32>
%b = constant <i8: [255, -1]> : tile<2xi8>
",
            see: &["constant", "global", "identities"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "value",
        also: &["%", "ssa", "ssa value", "result pack", "variable", "operand"],
        doc: "The result of an op or a parameter, written with a `%`. It is defined once and never changes.",
        notes: Notes {
            syntax: "%x\n%a, %b, %c\n%ids:3\n%ids#1",
            rules: &[
                "A name is a number, or starts with a letter or one of `$._-`.",
                "A value can be used after its definition, and in the regions of ops that follow it.",
                "An op with several results names each (`%a, %b`) or all together (`%ids:3`); `%ids#1` is the second result, and `%ids` the \
                 first.",
                "Values from outside an `entry` cannot be used in it.",
            ],
            example: "
%ids:3 = get_tile_block_id : tile<i32>
%sum = addi %ids#0, %ids#1 : tile<i32>
",
            see: &["literal", "for", "entry"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "alias",
        also: &["type alias", "attribute alias"],
        doc: "A short name for a type (`!name`) or for an attribute (`#name`), defined outside the module.",
        notes: Notes {
            syntax: "!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>\n#hints = …",
            rules: &[
                "Aliases are defined at the top level of a file.",
                "In the definition of a type alias, the type needs its prefix: `!cuda_tile.tile<8xf32>`.",
                "A type alias can be used wherever the type can.",
            ],
            example: "
!block = !cuda_tile.tile<8xf32>

cuda_tile.module @example {
  entry @example() {
    %x = constant <f32: 1.0> : !block
    %y = addf %x, %x : !block
  }
}
",
            see: &["cuda_tile", "location", "module"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "location",
        also: &["loc", "debug information", "di_loc"],
        doc: "The source location of an op, for debuggers and for messages of the compiler. It has no other effect.",
        notes: Notes {
            syntax: "loc(\"kernel.py\":7:3)\nloc(unknown)\nloc(callsite(#callee at #caller))\nloc(#name)",
            rules: &[
                "It comes last in a statement.",
                "Bytecode stores only locations with a scope: `#cuda_tile.di_loc<loc(\"kernel.py\":7:3) in #scope>`.",
                "Without locations, `tile build` uses the lines of the `.tile` file as debug information.",
            ],
            example: "
%a = iota : tile<8xi32> loc(\"kernel.py\":7:3)
",
            see: &["alias", "module"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "generic form",
        also: &["generic"],
        doc: "MLIR's notation for any op: its name in quotes, operands in parentheses, attributes in `<{…}>`, then the function type of \
              the op. `tile` accepts it everywhere, and prints it where the custom form cannot express a program.",
        notes: Notes {
            syntax: "%c = \"cuda_tile.addi\"(%a, %b) <{overflow = #cuda_tile.overflow<none>}> : (T, T) -> T",
            rules: &[
                "Types need their prefix: `!cuda_tile.tile<i32>`.",
                "Enum values are attributes, such as `#cuda_tile.rounding<zero>`; memory orderings, scopes and atomic modes are numbers.",
                "Regions follow the attributes in `({ … })`.",
            ],
            example: "
%a = constant <i32: 3> : tile<i32>
%b = \"cuda_tile.addi\"(%a, %a) <{overflow = #cuda_tile.overflow<none>}>
    : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
    -> !cuda_tile.tile<i32>
",
            see: &["cuda_tile", "alias"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "cuda_tile",
        also: &["prefix", "dialect", "dialect prefix", "!cuda_tile"],
        doc: "The name of the dialect. The outermost `module` needs it as a prefix; inside the module, it is optional.",
        notes: Notes {
            syntax: "cuda_tile.module @m { … }\n!cuda_tile.tile<8xf32>",
            rules: &[
                "Inside a module, `addi` and `cuda_tile.addi` are the same op; printers and `tile fmt` omit the prefix.",
                "In the custom form of ops, `tile<f32>` and `!cuda_tile.tile<f32>` are the same type.",
                "In generic form and in type aliases, the outermost type needs its prefix.",
            ],
            example: "
!block = !cuda_tile.tile<8xi32>

cuda_tile.module @example {
  entry @example() {
    %a = iota : !block
    %b = addi %a, %a : tile<8xi32>
  }
}
",
            see: &["module", "generic form", "alias"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
    Term {
        name: "comment",
        also: &["comments"],
        doc: "Everything from `//` to the end of the line. There are no block comments.",
        notes: Notes {
            syntax: "// a remark",
            rules: &[
                "Lines that begin with `//@` directly above an `entry` are launch directives, which `tile` reads.",
                "`// tile: allow(…)` allows a lint.",
            ],
            example: "
// The element's own number.
%i = iota : tile<8xi32> // 0 to 7
",
            see: &["launch", "allow"],
            ..Notes::NONE
        },
        ..CONCEPT
    },
];
