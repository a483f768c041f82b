//! Multicast memory: accesses to the replicas of a buffer on several devices.
//!
//! Unlike in `store_view_tko`, the view comes before the tile, the type list includes the token operand, and the
//! indices share one type.

use super::*;
use crate::gpu::MULTICAST;

const INDEX: OperandRow =
    many("index", INT, "The index of the tile: one for each dimension of the view's index space.");
const VIEW: OperandRow = one("view", Class::TileView, "A partition view of a multicast tensor view.");
const SCOPE: AttrRow = attr(
    "memory_scope",
    bare(&MEMORY_SCOPE, &[]),
    Optional,
    "The accesses that the ordering applies to; weak accesses have no scope.",
);
const REDUCTION: AttrRow = attr(
    "reduction",
    bare(&MULTIMEM_REDUCTION, &[]),
    Default(0),
    "How the replicas, or a replica and the tile, are combined. It is written in the attribute dictionary.",
);
const INBOUNDS_13_5: AttrRow = AttrRow { since: Version::V13_5, ..INBOUNDS };

const fn order(only: &'static [u8]) -> AttrRow {
    attr(
        "memory_ordering_semantics",
        bare(&MEMORY_ORDERING, only),
        Required,
        "How the access is ordered relative to accesses of other tile blocks.",
    )
}

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::MultimemLoadReduceViewTko,
        name: "multimem_load_reduce_view_tko",
        opcode: Some(0x7B),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[VIEW, INDEX, TOKEN_IN],
        attrs: &[order(&[ordering::WEAK, ordering::RELAXED, ordering::ACQUIRE]), SCOPE, REDUCTION, INBOUNDS_13_5],
        results: &[result("reduced_values", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view[$index] {token = $token}? {inbounds = $inbounds}? attributes-dict : type($view), type($index) {, type($token)}? -> type($reduced_values), type($result_token)",
        rules: &[Rule::TileOfView("reduced_values", "view")],
        layout: "results# flags(memory_scope token) memory_ordering_semantics memory_scope? reduction inbounds view index# token?",
        effect: Effect::Memory,
        gpus: MULTICAST,
        doc: "Loads one tile from every replica of multicast memory and combines the replicas element by element. Elements beyond the edge of the tensor have the view's padding value, or are unspecified if it has none.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MultimemReduceViewTko,
        name: "multimem_reduce_view_tko",
        opcode: Some(0x7C),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[VIEW, one("tile", Class::Tile, "The tile to combine with every replica."), INDEX, TOKEN_IN],
        attrs: &[
            order(&[ordering::RELAXED, ordering::RELEASE]),
            AttrRow { presence: Required, doc: "The accesses that the ordering applies to.", ..SCOPE },
            REDUCTION,
            INBOUNDS_13_5,
        ],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view, $tile[$index] {token = $token}? {inbounds = $inbounds}? attributes-dict : type($view), type($tile), type($index) {, type($token)}? -> type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(token) memory_ordering_semantics memory_scope reduction inbounds view tile index# token?",
        effect: Effect::Memory,
        gpus: MULTICAST,
        doc: "Combines a tile with every replica of multicast memory. Each element of each replica is updated atomically, but not all replicas together. Elements beyond the edge of the tensor are skipped.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MultimemStoreViewTko,
        name: "multimem_store_view_tko",
        opcode: Some(0x7D),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[VIEW, one("tile", Class::Tile, "The tile to store."), INDEX, TOKEN_IN],
        attrs: &[order(&[ordering::WEAK, ordering::RELAXED, ordering::RELEASE]), SCOPE, INBOUNDS_13_5],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view, $tile[$index] {token = $token}? {inbounds = $inbounds}? attributes-dict : type($view), type($tile), type($index) {, type($token)}? -> type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(memory_scope token) memory_ordering_semantics memory_scope? inbounds view tile index# token?",
        effect: Effect::Memory,
        gpus: MULTICAST,
        doc: "Stores one tile to every replica of multicast memory. Elements beyond the edge of the tensor are not stored.",
        ..OP
    },
];
