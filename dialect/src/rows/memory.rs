//! Loads and stores through pointers, tokens, and scratch memory.

use super::*;

const SCOPE: AttrRow =
    attr("memory_scope", bare(&MEMORY_SCOPE, &[]), Optional, "Who sees the ordering; a weak access has no scope.");

/// An op of the grid-dependency control, which only orders.
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
            optional("mask", TRUTH, "Which elements are loaded."),
            optional("paddingValue", NUMBER, "What the elements are that the mask leaves out."),
            TOKEN_IN,
        ],
        attrs: &[
            attr(
                "memory_ordering_semantics",
                bare(&MEMORY_ORDERING, &[ordering::WEAK, ordering::RELAXED, ordering::ACQUIRE]),
                Required,
                "How the load is ordered with other tile blocks' accesses.",
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
        doc: "Loads one element through each pointer of a tile. Where the mask is false nothing is loaded: the element is the padding value, or unspecified without one.",
        ..OP
    },
    OpRow {
        op: Mnemonic::StorePtrTko,
        name: "store_ptr_tko",
        opcode: Some(0x65),
        group: Group::Memory,
        operands: &[
            one("destination", Class::Pointers, "The addresses."),
            one("value", Class::Tile, "The elements."),
            optional("mask", TRUTH, "Which elements are stored."),
            TOKEN_IN,
        ],
        attrs: &[
            attr(
                "memory_ordering_semantics",
                bare(&MEMORY_ORDERING, &[ordering::WEAK, ordering::RELAXED, ordering::RELEASE]),
                Required,
                "How the store is ordered with other tile blocks' accesses.",
            ),
            SCOPE,
            HINTS,
        ],
        results: &[TOKEN_OUT],
        form: "$memory_ordering_semantics $memory_scope $destination, $value {, $mask}? {token = $token}? {optimization_hints = $optimization_hints}? attr-dict : type($destination), type($value) {, type($mask)}? -> type($result_token)",
        rules: &[Rule::PointsTo("destination", "value"), Rule::SameShape(&["destination", "mask"])],
        layout: "results flags(memory_scope optimization_hints mask token) memory_ordering_semantics memory_scope? optimization_hints? destination value mask? token?",
        effect: Effect::Memory,
        doc: "Stores one element through each pointer of a tile. Where the mask is false nothing is stored.",
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
        doc: "A new token that nothing comes before.",
        ..OP
    },
    OpRow {
        op: Mnemonic::JoinTokens,
        name: "join_tokens",
        opcode: Some(0x3C),
        group: Group::Memory,
        operands: &[many("tokens", Class::Token, "The tokens, two or more.")],
        results: &[result("result", Class::Token)],
        form: "$tokens attr-dict : type($result)",
        layout: "results# all(tokens)",
        doc: "A token that is ordered after all of its operands.",
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
            attr("global", AttrKind::Flag("global"), Optional, "Other tile blocks may use the address too."),
        ],
        results: &[result("result", Class::Pointer)],
        form: "num_elem = $num_elem, alignment = $alignment $global attr-dict : type($result)",
        layout: "results flags(global) num_elem alignment",
        effect: Effect::Memory,
        doc: "Scratch memory of this tile block, uninitialised, that lives as long as the block that contains the op.",
        ..OP
    },
    OpRow {
        op: Mnemonic::MemoryFenceAliasTko,
        name: "memory_fence_alias_tko",
        opcode: Some(0x7A),
        since: Version::V13_4,
        group: Group::Memory,
        operands: &[one("token", Class::Token, "The accesses that must come before.")],
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
        "Lets the kernels that depend on this one start.",
    ),
];
