//! Atomic ops.

use super::*;
use crate::Element::BF16;
use crate::gpu::BF16_ATOMICS;

const ORDER: AttrRow = attr(
    "memory_ordering_semantics",
    bare(&MEMORY_ORDERING, &[ordering::RELAXED, ordering::ACQUIRE, ordering::RELEASE, ordering::ACQ_REL]),
    Required,
    "How the access is ordered relative to others.",
);
const SCOPE: AttrRow =
    attr("memory_scope", bare(&MEMORY_SCOPE, &[]), Required, "The accesses that the ordering applies to.");
const MODE: AttrRow = attr("mode", bare(&RMW_MODE, &[]), Required, "How the old and the new value are combined.");
/// A reduction through a view returns no old value, so it cannot order other accesses, and its scope is at most the
/// device.
const VIEW_ATTRS: &[AttrRow] = &[
    AttrRow { kind: bare(&MEMORY_ORDERING, &[ordering::RELAXED]), ..ORDER },
    AttrRow { kind: bare(&MEMORY_SCOPE, &[0, 1]), ..SCOPE },
    AttrRow { kind: bare(&RMW_MODE, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), ..MODE },
    AttrRow { since: Version::V13_5, ..INBOUNDS },
];
const ADDF: (&str, &str) = ("mode", "addf");
const MASK: OperandRow = optional("mask", TRUTH, "The elements that are accessed.");

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::AtomicCasTko,
        name: "atomic_cas_tko",
        opcode: Some(0x07),
        group: Group::Atomic,
        operands: &[
            one("pointers", Class::Pointers, "The addresses."),
            one("cmp", Class::Tile, "The value to compare the memory with, bitwise."),
            one("val", Class::Tile, "The value to store if they are equal."),
            MASK,
            TOKEN_IN,
        ],
        attrs: &[ORDER, SCOPE],
        results: &[result("result", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $pointers, $cmp, $val {, $mask}? {token = $token}? attr-dict : type($pointers), type($val) {, type($mask)}? -> type($result), type($result_token)",
        rules: &[
            Rule::SameType(&["cmp", "val", "result"]),
            Rule::PointsTo("pointers", "val"),
            Rule::SameShape(&["pointers", "mask"]),
        ],
        layout: "results flags(mask token) memory_ordering_semantics memory_scope pointers cmp val mask? token?",
        effect: Effect::Memory,
        doc: "Compares and swaps, atomically for each element: memory that equals cmp is replaced by val. The result is the previous content of the memory, or cmp if the mask is false.",
        ..OP
    },
    OpRow {
        op: Mnemonic::AtomicRmwTko,
        name: "atomic_rmw_tko",
        opcode: Some(0x08),
        group: Group::Atomic,
        operands: &[
            one("pointers", Class::Pointers, "The addresses."),
            one("arg", Class::Tile, "The value to combine with the memory."),
            MASK,
            TOKEN_IN,
        ],
        attrs: &[ORDER, SCOPE, MODE],
        results: &[result("result", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $pointers, $mode, $arg {, $mask}? {token = $token}? attr-dict : type($pointers), type($arg) {, type($mask)}? -> type($result), type($result_token)",
        rules: &[
            Rule::SameType(&["arg", "result"]),
            Rule::PointsTo("pointers", "arg"),
            Rule::SameShape(&["pointers", "mask"]),
        ],
        layout: "results flags(mask token) memory_ordering_semantics memory_scope mode pointers arg mask? token?",
        effect: Effect::Memory,
        limits: &[Limit { attr: ADDF, operand: ("arg", BF16), gpus: BF16_ATOMICS }],
        doc: "Reads, combines and writes back, atomically for each element. The result is the previous content of the memory.",
        ..OP
    },
    OpRow {
        op: Mnemonic::AtomicRedViewTko,
        name: "atomic_red_view_tko",
        opcode: Some(0x75),
        since: Version::V13_3,
        group: Group::Atomic,
        operands: &[
            one("view", Class::TileView, "The view to write to."),
            many("index", INT, "The index of the tile: one for each dimension of the view's index space."),
            one("value", Class::Tile, "The value to combine with the memory."),
            TOKEN_IN,
        ],
        attrs: VIEW_ATTRS,
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $view[$index], $mode, $value {token = $token}? {inbounds = $inbounds}? attributes-dict : type($value), type($view) {, type-or-types($index)}? -> type($result_token)",
        rules: &[Rule::TileOfView("value", "view")],
        layout: "results# flags(token) memory_ordering_semantics memory_scope mode inbounds@13.5 view index# value token?",
        effect: Effect::Memory,
        limits: &[Limit { attr: ADDF, operand: ("value", BF16), gpus: BF16_ATOMICS }],
        doc: "Combines a tile with the memory of a view, atomically for each element, without returning the old values. Elements beyond the edge of the tensor are skipped.",
        ..OP
    },
];
