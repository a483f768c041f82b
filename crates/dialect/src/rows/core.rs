//! Modules, entries, globals, constants and the grid.

use super::*;

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::Module,
        name: "module",
        attrs: &[
            attr("sym_name", AttrKind::SymbolName, Required, "The module's name."),
            AttrRow {
                since: Version::V13_3,
                ..attr("producer", AttrKind::Str, Optional, "The program that wrote the module.")
            },
        ],
        regions: &[RegionRow {
            name: "body",
            terminator: None,
            args: RegionArgs::None,
            arg_names: &[],
            optional: false,
        }],
        form: "$sym_name attributes-dict $body",
        effect: Effect::Regions,
        doc: "A module contains the entries and globals of one program. It is the only op that always needs the dialect prefix: cuda_tile.module.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Entry,
        name: "entry",
        attrs: &[
            attr("sym_name", AttrKind::SymbolName, Required, "The kernel's name, which the host uses to launch it."),
            attr("function_type", AttrKind::Type, Required, "The types of its parameters."),
            attr(
                "arg_attrs",
                AttrKind::DictList,
                Optional,
                "Attributes of the parameters, one dictionary for each. Their names have the prefix of a dialect.",
            ),
            attr(
                "res_attrs",
                AttrKind::DictList,
                Optional,
                "Attributes of the results; always empty, because an entry returns nothing.",
            ),
            HINTS,
            attr(
                "sym_visibility",
                AttrKind::Str,
                Optional,
                "The visibility of the entry: `\"public\"`, the default. Tools before 13.5 also accept `\"private\"`.",
            ),
        ],
        regions: &[RegionRow {
            name: "body",
            terminator: Some(Mnemonic::Return),
            args: RegionArgs::Header,
            arg_names: &["arg#"],
            optional: false,
        }],
        form: "$sym_name signature($body) {optimization_hints = $optimization_hints}? $body attr-dict",
        effect: Effect::Regions,
        doc: "A tile kernel, which the host launches over a grid of tile blocks. Its parameters are tiles of rank 0, which are scalars or pointers. It returns nothing.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Global,
        name: "global",
        attrs: &[
            attr("sym_name", AttrKind::SymbolName, Required, "The global's name."),
            attr("value", AttrKind::Dense, Required, "Its content when the module is loaded: a constant of rank 1."),
            attr(
                "alignment",
                AttrKind::Int(64),
                DefaultInt(0),
                "The alignment of its memory in bytes; for 0, the compiler decides.",
            ),
            AttrRow {
                since: Version::V13_3,
                ..attr("constant", AttrKind::Flag("constant"), Optional, "The global is never written.")
            },
            AttrRow {
                since: Version::V13_3,
                ..attr(
                    "symbol_visibility",
                    bare(&VISIBILITY, &[]),
                    Default(0),
                    "Whether the host can find the global by name.",
                )
            },
        ],
        form: "$symbol_visibility $constant $sym_name {alignment = $alignment}? attr-dict $value : type($value)",
        effect: Effect::Memory,
        doc: "A variable in device memory that is shared by all tile blocks and all launches of the module. get_global returns a pointer to its first element.",
        ..OP
    },
    OpRow {
        op: Mnemonic::GetGlobal,
        name: "get_global",
        opcode: Some(0x2C),
        attrs: &[attr("name", AttrKind::SymbolRef, Required, "The name of the global.")],
        results: &[result("result", Class::Pointer)],
        form: "$name attr-dict : type($result)",
        layout: "results name",
        doc: "Returns a pointer to the first element of a global.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Constant,
        name: "constant",
        opcode: Some(0x10),
        attrs: &[attr(
            "value",
            AttrKind::Dense,
            Required,
            "A single number for all elements, or nested lists in the shape of the tile.",
        )],
        results: &[result("result", NUMBER)],
        form: "$value : type($result) attr-dict",
        layout: "results value",
        result_name: "cst",
        doc: "A tile whose elements are known at compile time.",
        ..OP
    },
    OpRow {
        op: Mnemonic::GetTileBlockId,
        name: "get_tile_block_id",
        opcode: Some(0x30),
        results: &[result("blockId_x", ONE_I32), result("blockId_y", ONE_I32), result("blockId_z", ONE_I32)],
        form: "attr-dict : type($blockId_x, $blockId_y, $blockId_z)",
        layout: "results",
        doc: "Returns the coordinates of this tile block in the grid, counted from 0: x, y and z. Missing dimensions of the grid are 0.",
        ..OP
    },
    OpRow {
        op: Mnemonic::GetNumTileBlocks,
        name: "get_num_tile_blocks",
        opcode: Some(0x2E),
        results: &[result("gridSize_x", ONE_I32), result("gridSize_y", ONE_I32), result("gridSize_z", ONE_I32)],
        form: "attr-dict : type($gridSize_x, $gridSize_y, $gridSize_z)",
        layout: "results",
        doc: "Returns the extents of the grid: x, y and z. Missing dimensions of the grid are 1.",
        ..OP
    },
];
