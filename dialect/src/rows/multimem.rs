//! Memory that stands for the same place on several devices.
//!
//! What is known of these ops is their names, numbers, reductions and the order of what bytecode holds. How they are written is
//! not published: here it follows the loads, stores and reductions through views. So do the bits of the flags.

use super::*;

const INDEX: OperandRow = many("index", INT, "Which tile: one index for each dimension of the view's index space.");
const VIEW: OperandRow = one("view", Class::TileView, "The view of the multicast memory.");
const SCOPE: AttrRow =
    attr("memory_scope", bare(&MEMORY_SCOPE, &[]), Optional, "Who sees the ordering; a weak access has no scope.");
const REDUCTION: AttrRow = attr("reduction", bare(&MULTIMEM_REDUCTION, &[]), Required, "How the copies are combined.");
const PROMISE: AttrRow = AttrRow { since: Version::V13_5, ..INBOUNDS };

const fn order(only: &'static [u8]) -> AttrRow {
    attr(
        "memory_ordering_semantics",
        bare(&MEMORY_ORDERING, only),
        Required,
        "How the access is ordered with other tile blocks' accesses.",
    )
}

pub(super) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::MultimemLoadReduceViewTko,
        name: "multimem_load_reduce_view_tko",
        opcode: Some(0x7B),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[VIEW, INDEX, TOKEN_IN],
        attrs: &[order(&[ordering::WEAK, ordering::RELAXED, ordering::ACQUIRE]), SCOPE, REDUCTION, PROMISE],
        results: &[result("tile", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view[$index], $reduction {token = $token}? {inbounds = $inbounds}? attributes-dict : type($view) {, type-or-types($index)}? -> type($tile), type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(memory_scope token) memory_ordering_semantics memory_scope? reduction inbounds view index# token?",
        effect: Effect::Memory,
        doc: "Loads a tile of multicast memory: the copies of all devices, combined element by element. The text form of this op is not published; it is written here as load_view_tko is.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MultimemReduceViewTko,
        name: "multimem_reduce_view_tko",
        opcode: Some(0x7C),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[VIEW, INDEX, one("value", Class::Tile, "What is combined with every copy."), TOKEN_IN],
        attrs: &[order(&[ordering::RELAXED, ordering::RELEASE]), SCOPE, REDUCTION, PROMISE],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view[$index], $reduction, $value {token = $token}? {inbounds = $inbounds}? attributes-dict : type($value), type($view) {, type-or-types($index)}? -> type($result_token)",
        rules: &[Rule::TileOfView("value", "view")],
        layout: "results# flags(memory_scope token) memory_ordering_semantics memory_scope? reduction inbounds view value index# token?",
        effect: Effect::Memory,
        doc: "Combines a tile with multicast memory: with the copy of every device, atomically for each element. The text form of this op is not published; it is written here as atomic_red_view_tko is.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MultimemStoreViewTko,
        name: "multimem_store_view_tko",
        opcode: Some(0x7D),
        since: Version::V13_5,
        group: Group::Atomic,
        operands: &[one("tile", Class::Tile, "The tile that is stored."), VIEW, INDEX, TOKEN_IN],
        attrs: &[order(&[ordering::WEAK, ordering::RELAXED, ordering::RELEASE]), SCOPE, PROMISE],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $tile, $view[$index] {token = $token}? {inbounds = $inbounds}? attributes-dict : type($tile), type($view) {, type-or-types($index)}? -> type($result_token)",
        rules: &[Rule::TileOfView("tile", "view")],
        layout: "results# flags(memory_scope token) memory_ordering_semantics memory_scope? inbounds view tile index# token?",
        effect: Effect::Memory,
        doc: "Stores a tile to multicast memory: to the copy of every device. The text form of this op is not published; it is written here as store_view_tko is.",
        ..OP
    },
];
