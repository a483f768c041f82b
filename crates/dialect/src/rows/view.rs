//! Tensor views, views that divide them into tiles, and loads and stores through them.

use super::*;

const fn make_view(
    op: Mnemonic,
    name: &'static str,
    opcode: u16,
    since: Version,
    results: &'static [ResultRow],
    result_name: &'static str,
    doc: &'static str,
) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        since,
        group: Group::View,
        operands: const { &[one("tensor_view", Class::TensorView, "The tensor view to divide into tiles.")] },
        results,
        form: "$tensor_view attr-dict : type($result)",
        layout: "results tensor_view",
        result_name,
        doc,
        ..OP
    }
}

const INDEX: OperandRow =
    many("index", INT, "The index of the tile: one for each dimension of the view's index space.");

const SCOPE: AttrRow = attr(
    "memory_scope",
    bare(&MEMORY_SCOPE, &[]),
    Optional,
    "The accesses that the ordering applies to; weak accesses have no scope.",
);

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::MakeTensorView,
        name: "make_tensor_view",
        opcode: Some(0x43),
        group: Group::View,
        operands: &[
            one("base", Class::Pointer, "The address of the element at index 0."),
            many("dynamicShape", ONE_INT, "The extents that are `?` in the type."),
            many("dynamicStrides", ONE_INT, "The strides that are `?` in the type, in elements."),
        ],
        results: &[result("result", Class::TensorView)],
        form: "$base, shape = [extents($dynamicShape)], strides = [strides($dynamicStrides)] attr-dict : {attributed-type($base), type($dynamicShape, $dynamicStrides) ->}? type($result)",
        layout: "results# base dynamicShape# dynamicStrides#",
        effect: Effect::None,
        result_name: "tview",
        doc: "Describes memory as a tensor: a base pointer with an extent and a stride for each dimension. Numbers in the lists must equal those of the type; where the type has a question mark, the list has a value.",
        ..OP
    },
    make_view(
        Mnemonic::MakePartitionView,
        "make_partition_view",
        0x42,
        Version::V13_1,
        &[result("result", Class::PartitionView)],
        "pview",
        "Divides a tensor view into a grid of tiles that do not overlap. Tiles at the edges can extend beyond the tensor.",
    ),
    make_view(
        Mnemonic::MakeStridedView,
        "make_strided_view",
        0x74,
        Version::V13_3,
        &[result("result", Class::StridedView)],
        "sview",
        "Divides a tensor view into tiles that start at multiples of the traversal strides, so that they can overlap or leave gaps.",
    ),
    make_view(
        Mnemonic::MakeGatherScatterView,
        "make_gather_scatter_view",
        0x73,
        Version::V13_3,
        &[result("result", Class::GatherScatterView)],
        "gsview",
        "Makes a view of a tensor whose tiles consist of slices that are selected by index along one dimension.",
    ),
    OpRow {
        op: Mnemonic::GetTensorShape,
        name: "get_tensor_shape",
        opcode: Some(0x2F),
        group: Group::View,
        operands: &[one("src", Class::TensorView, "The tensor view.")],
        results: &[results("result", ONE_INT)],
        form: "$src attr-dict : type($src) -> type($result)",
        layout: "results# src",
        effect: Effect::None,
        doc: "Returns the extents of a tensor view, one result for each dimension.",
        ..OP
    },
    OpRow {
        op: Mnemonic::GetIndexSpaceShape,
        name: "get_index_space_shape",
        opcode: Some(0x2D),
        group: Group::View,
        operands: &[one("src", Class::TileView, "The view.")],
        results: &[results("result", ONE_INT)],
        form: "$src : type($src) -> type($result)",
        layout: "results# src",
        effect: Effect::None,
        doc: "Returns the number of tiles along each dimension of the index space of a view, one result for each dimension.",
        ..OP
    },
    OpRow {
        op: Mnemonic::LoadViewTko,
        name: "load_view_tko",
        opcode: Some(0x3E),
        group: Group::View,
        operands: &[one("view", Class::TileView, "The view to load from."), INDEX, TOKEN_IN],
        attrs: &[
            attr(
                "memory_ordering_semantics",
                bare(&MEMORY_ORDERING, &[ordering::WEAK, ordering::RELAXED, ordering::ACQUIRE]),
                Required,
                "How the load is ordered relative to accesses of other tile blocks.",
            ),
            SCOPE,
            HINTS,
            INBOUNDS,
        ],
        results: &[result("tile", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view[$index] {token = $token}? {optimization_hints = $optimization_hints}? {inbounds = $inbounds}? attributes-dict : type($view) {, type-or-types($index)}? -> type($tile), type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(memory_scope optimization_hints token) memory_ordering_semantics memory_scope? optimization_hints? inbounds@13.4 view index# token?",
        effect: Effect::Memory,
        doc: "Loads one tile of a view. Elements beyond the edge of the tensor have the view's padding value, or are unspecified if it has none. An index outside the index space is undefined behavior.",
        ..OP
    },
    OpRow {
        op: Mnemonic::StoreViewTko,
        name: "store_view_tko",
        opcode: Some(0x66),
        group: Group::View,
        operands: &[
            one("tile", Class::Tile, "The tile to store."),
            one("view", Class::TileView, "The view to store to."),
            INDEX,
            TOKEN_IN,
        ],
        attrs: &[
            attr(
                "memory_ordering_semantics",
                bare(&MEMORY_ORDERING, &[ordering::WEAK, ordering::RELAXED, ordering::RELEASE]),
                Required,
                "How the store is ordered relative to accesses of other tile blocks.",
            ),
            SCOPE,
            HINTS,
            INBOUNDS,
        ],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $tile, $view[$index] {token = $token}? {optimization_hints = $optimization_hints}? {inbounds = $inbounds}? attributes-dict : type($tile), type($view) {, type-or-types($index)}? -> type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(memory_scope optimization_hints token) memory_ordering_semantics memory_scope? optimization_hints? inbounds@13.4 tile view index# token?",
        effect: Effect::Memory,
        doc: "Stores one tile through a view. Elements beyond the edge of the tensor are not stored. An index outside the index space is undefined behavior.",
        ..OP
    },
];
