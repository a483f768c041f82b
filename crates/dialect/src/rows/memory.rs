//! Loads and stores through pointers, tokens, and scratch memory.

use super::*;

const SCOPE: AttrRow = attr(
    "memory_scope",
    bare(&MEMORY_SCOPE, &[]),
    Optional,
    "The accesses that the ordering applies to; weak accesses have no scope.",
);

/// An op of grid dependency control, which only orders execution.
const fn grid_control(op: Mnemonic, name: &'static str, opcode: u16, doc: &'static str) -> OpRow {
    OpRow {
        op,
        name,
        opcode: Some(opcode),
        since: Version::V13_4,
        group: Group::Memory,
        operands: const { &[TOKEN_IN] },
        results: const { &[TOKEN_OUT] },
        form: "{token = $token}? attr-dict -> type($result_token)",
        layout: "results flags(token) token?",
        effect: Effect::Memory,
        doc,
        ..OP
    }
}

pub(crate) const ROWS: &[OpRow] = &[
    OpRow {
        op: Mnemonic::LoadPtrTko,
        name: "load_ptr_tko",
        opcode: Some(0x3D),
        group: Group::Memory,
        operands: &[
            one("source", Class::Pointers, "The addresses."),
            optional("mask", TRUTH, "The elements to load."),
            optional("paddingValue", NUMBER, "The value of elements that the mask excludes."),
            TOKEN_IN,
        ],
        attrs: &[
            attr(
                "memory_ordering_semantics",
                bare(&MEMORY_ORDERING, &[ordering::WEAK, ordering::RELAXED, ordering::ACQUIRE]),
                Required,
                "How the load is ordered relative to accesses of other tile blocks.",
            ),
            SCOPE,
            HINTS,
        ],
        results: &[result("result", Class::Tile), TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $source {, $mask}? {, $paddingValue}? {token = $token}? {optimization_hints = $optimization_hints}? attr-dict : type($source) {, type($mask)}? {, type($paddingValue)}? -> type($result), type($result_token)",
        rules: &[
            Rule::PointsTo("source", "result"),
            Rule::SameShape(&["source", "mask"]),
            Rule::SameType(&["result", "paddingValue"]),
        ],
        layout: "results flags(memory_scope optimization_hints mask paddingValue token) memory_ordering_semantics memory_scope? optimization_hints? source mask? paddingValue? token?",
        effect: Effect::Memory,
        doc: "Loads one element through each pointer of a tile. Elements whose mask is false are not loaded: they are the padding value, or unspecified without one.",
        ..OP
    },
    OpRow {
        op: Mnemonic::StorePtrTko,
        name: "store_ptr_tko",
        opcode: Some(0x65),
        group: Group::Memory,
        operands: &[
            one("destination", Class::Pointers, "The addresses."),
            one("value", Class::Tile, "The elements to store."),
            optional("mask", TRUTH, "The elements to store."),
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
        ],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $destination, $value {, $mask}? {token = $token}? {optimization_hints = $optimization_hints}? attr-dict : type($destination), type($value) {, type($mask)}? -> type($result_token)",
        rules: &[Rule::PointsTo("destination", "value"), Rule::SameShape(&["destination", "mask"])],
        layout: "results flags(memory_scope optimization_hints mask token) memory_ordering_semantics memory_scope? optimization_hints? destination value mask? token?",
        effect: Effect::Memory,
        doc: "Stores one element through each pointer of a tile. Elements whose mask is false are not stored.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MakeToken,
        name: "make_token",
        opcode: Some(0x44),
        group: Group::Memory,
        results: &[result("result", Class::Token)],
        form: "attr-dict : type($result)",
        layout: "results",
        doc: "A new token, which does not depend on any other access.",
        ..OP
    },
    OpRow {
        op: Mnemonic::JoinTokens,
        name: "join_tokens",
        opcode: Some(0x3C),
        group: Group::Memory,
        operands: &[many("tokens", Class::Token, "Two or more tokens.")],
        results: &[result("result", Class::Token)],
        form: "$tokens attr-dict : type($result)",
        layout: "results# all(tokens)",
        doc: "A token that depends on all of its operands.",
        ..OP
    },
    OpRow {
        op: Mnemonic::Alloca,
        name: "alloca",
        opcode: Some(0x71),
        since: Version::V13_3,
        group: Group::Memory,
        attrs: &[
            attr("num_elem", AttrKind::Int(64), Required, "The number of elements."),
            attr(
                "alignment",
                AttrKind::Int(64),
                Required,
                "The alignment in bytes: a power of two, at least the element's size.",
            ),
            attr("global", AttrKind::Flag("global"), Optional, "Other tile blocks can also use the address."),
        ],
        results: &[result("result", Class::Pointer)],
        form: "num_elem = $num_elem, alignment = $alignment $global attr-dict : type($result)",
        layout: "results flags(global) num_elem alignment",
        effect: Effect::Memory,
        doc: "Allocates uninitialized scratch memory for this tile block. It is freed at the end of the enclosing block.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MemoryFenceAliasTko,
        name: "memory_fence_alias_tko",
        opcode: Some(0x7A),
        since: Version::V13_4,
        group: Group::Memory,
        operands: &[one("token", Class::Token, "The accesses to order before later ones.")],
        results: &[TOKEN_OUT],
        form: "$token attr-dict",
        layout: "results token",
        effect: Effect::Memory,
        doc: "Orders accesses to the same memory through different views or pointers.",
        ..OP
    },
    grid_control(
        Mnemonic::GdcWaitTko,
        "gdc_wait_tko",
        0x78,
        "Waits until the kernels that this one depends on have finished and their writes are visible.",
    ),
    grid_control(
        Mnemonic::GdcLaunchDependentsTko,
        "gdc_launch_dependents_tko",
        0x77,
        "Allows the kernels that depend on this one to start.",
    ),
];
