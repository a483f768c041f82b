//! Concepts that concern many ops and types, and the notation of programs.

use crate::{Notes, Term, Version};

const CONCEPT: Term =
    Term { name: "", also: &[], kind: "concept", doc: "", notes: Notes::NONE, since: Some(Version::V13_1) };

pub(super) const ROWS: &[Term] = &[
    Term {
        name: "tile sizes",
        also: &["tile size", "powers of two", "power of two", "shape", "tile="],
        doc: "Every extent of a tile is a power of two, and a tile has at most 16777216 (2^24) elements. Data of other sizes is cut into \
              tiles that stick out over its edge.",
        notes: Notes {
            syntax: "tile<64x32xf32>\npartition_view<tile=(64x32), tensor_view<1000x700xf32, strides=[700,1]>>",
            rules: &[
                "Extents are written as numbers: a tile's shape is never known only at run time.",
                "The same holds for `tile=(…)` of a view. The tensor below it may have any extents.",
                "Loads through a view take care of the edge (see `padding_value`); loads through pointers need a mask.",
                "A tile of `f4E2M1FN` has an even number of elements.",
                "Since tiles can only be powers of two, `cat` joins tiles of equal extent along its dimension.",
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
        doc: "Facts about the parameters of an entry, in a dictionary behind the type of each. They are meant for compilers and host \
              programs and change nothing about the ops.",
        notes: Notes {
            syntax: "entry @k(%a: tile<ptr<f32>> {cuda_tile.div_by = #cuda_tile.div_by<16>}, %n: tile<i32>)",
            rules: &[
                "Every name has the prefix of a dialect, such as `cuda_tile.` or one of your own.",
                "NVIDIA's compiler ignores `cuda_tile.div_by`: only an `assume` in the body changes the code.",
                "Bytecode holds them since 13.5: truth values, numbers, strings, types, lists, dictionaries, hints and the predicates of \
                 `assume`.",
                "Older bytecode cannot hold them, which `tile build` reports.",
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
        doc: "The indices under which a view has tiles. `get_index_space_shape` returns how many there are along each dimension.",
        notes: Notes {
            syntax: "%v[%i, %j]",
            rules: &[
                "A `partition_view` has ceil(extent / tile extent) tiles along a dimension, a `strided_view` ceil(extent / step).",
                "An index outside the index space is undefined behaviour, while a tile that sticks out over the edge of the tensor is fine.",
                "Indices are read as unsigned.",
                "With a `dim_map`, the dimensions are those of the tile, not of the tensor.",
                "A `gather_scatter_view` is indexed by element: its index space is the tensor's.",
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
        doc: "`?` in a `tensor_view` stands for an extent or a stride that is known only when the program runs.",
        notes: Notes {
            syntax: "tensor_view<?x?xf32, strides=[?,1]>",
            rules: &[
                "`make_tensor_view` has a value for each `?`, at the same place of `shape` and `strides`. All of these values are scalars of \
                 one integer type, which is written before `->`.",
                "Extents are not negative and strides are positive when the program runs.",
                "Tiles have no dynamic extents.",
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
        doc: "How numbers are written in a `constant`, a `global` and in identities. An operand is always a value such as `%x`: a number \
              becomes one through `constant`.",
        notes: Notes {
            syntax: "<i32: -7>\n<f32: 1.0e-3>\n<f32: 0x7FC00000>\n<i1: true>\n<i32: [[1, 2], [3, 4]]>",
            rules: &[
                "A float has a decimal point: `1.0` or `1.0e5`, not `1` or `1e5`.",
                "A hexadecimal number for a float is its bit pattern: that is how NaN and infinities are written.",
                "An integer may be anything that the width can hold as signed or as unsigned: `i8` takes -128 to 255.",
                "`i1` takes `true` and `false`.",
                "One number fills the whole tile; a nested list has exactly the tile's shape.",
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
                "A name is a number, or begins with a letter or one of `$._-`.",
                "A value can be used after its definition, and in the regions of ops that follow it.",
                "An op with several results names each (`%a, %b`) or all together (`%ids:3`); `%ids#1` is the second of these, and `%ids` the \
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
                "In the definition of a type alias the type has its prefix: `!cuda_tile.tile<8xf32>`.",
                "A type alias may be used wherever the type may.",
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
        doc: "Where an op comes from, for debuggers and for messages of the compiler. It changes nothing else.",
        notes: Notes {
            syntax: "loc(\"kernel.py\":7:3)\nloc(unknown)\nloc(callsite(#callee at #caller))\nloc(#name)",
            rules: &[
                "It comes last in a statement.",
                "A location that bytecode keeps has a scope: `#cuda_tile.di_loc<loc(\"kernel.py\":7:3) in #scope>`.",
                "Without locations, `tile build` writes the lines of the `.tile` file into the debug information.",
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
        doc: "MLIR's way to write any op: its name in quotes, operands in parentheses, attributes in `<{…}>`, then the function type of \
              the op. `tile` reads it everywhere, and prints it where the usual form cannot say what a program holds.",
        notes: Notes {
            syntax: "%c = \"cuda_tile.addi\"(%a, %b) <{overflow = #cuda_tile.overflow<none>}> : (T, T) -> T",
            rules: &[
                "Types have their prefix: `!cuda_tile.tile<i32>`.",
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
        doc: "The name of the dialect. The outermost `module` needs it as a prefix; inside the module it is optional.",
        notes: Notes {
            syntax: "cuda_tile.module @m { … }\n!cuda_tile.tile<8xf32>",
            rules: &[
                "Inside a module, `addi` and `cuda_tile.addi` are the same op; printers and `tile fmt` leave the prefix out.",
                "In the usual form of ops, `tile<f32>` and `!cuda_tile.tile<f32>` are the same type.",
                "In generic form and in type aliases the outer type needs its prefix.",
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
        doc: "Everything from `//` to the end of the line. Block comments do not exist.",
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
