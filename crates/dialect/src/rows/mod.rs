//! The rows, with one file for each chapter of the language, and the helpers for writing them.

pub(crate) mod atomic;
pub(crate) mod bitwise;
pub(crate) mod control_flow;
pub(crate) mod conversion;
pub(crate) mod core;
pub(crate) mod float;
pub(crate) mod float_math;
pub(crate) mod integer;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod misc;
pub(crate) mod multimem;
pub(crate) mod preview;
pub(crate) mod shape;
pub(crate) mod testing;
pub(crate) mod view;

use crate::attr::*;
use crate::class::*;
use crate::enums::*;
use crate::op::*;
use crate::{Mnemonic, Support, Version};
use Presence::{Default, DefaultInt, Optional, Required};

/// The defaults of a row, so that each row lists only what differs.
const OP: OpRow = OpRow {
    op: Mnemonic::Absf,
    name: "",
    spellings: &[],
    opcode: None,
    group: Group::Core,
    since: Version::V13_1,
    operands: &[],
    attrs: &[],
    results: &[],
    regions: &[],
    form: "",
    rules: &[],
    layout: "",
    effect: Effect::Pure,
    flow: Flow::Next,
    result_name: "",
    gpus: Support::EVERYWHERE,
    limits: &[],
    doc: "",
};

const fn one(name: &'static str, class: Class, doc: &'static str) -> OperandRow {
    OperandRow { name, arity: Arity::One, class, doc, since: Version::V13_1 }
}

const fn optional(name: &'static str, class: Class, doc: &'static str) -> OperandRow {
    OperandRow { name, arity: Arity::Optional, class, doc, since: Version::V13_1 }
}

const fn many(name: &'static str, class: Class, doc: &'static str) -> OperandRow {
    OperandRow { name, arity: Arity::Variadic, class, doc, since: Version::V13_1 }
}

const fn result(name: &'static str, class: Class) -> ResultRow {
    ResultRow { name, arity: Arity::One, class, since: Version::V13_1 }
}

const fn results(name: &'static str, class: Class) -> ResultRow {
    ResultRow { name, arity: Arity::Variadic, class, since: Version::V13_1 }
}

const fn attr(name: &'static str, kind: AttrKind, presence: Presence, doc: &'static str) -> AttrRow {
    AttrRow { name, kind, presence, doc, since: Version::V13_1 }
}

/// An enum value that is written bare in the text.
const fn bare(of: &'static EnumRow, only: &'static [u8]) -> AttrKind {
    AttrKind::Enum { of, wrapper: "", only }
}

/// An enum value that is written in angle brackets after a keyword.
const fn wrapped(of: &'static EnumRow, wrapper: &'static str, only: &'static [u8]) -> AttrKind {
    AttrKind::Enum { of, wrapper, only }
}

/// The optional token operand that orders the op.
const TOKEN_IN: OperandRow = optional("token", Class::Token, "The accesses that must happen before this one.");

/// The token result of a memory op.
const TOKEN_OUT: ResultRow = result("result_token", Class::Token);

const SIGNED: AttrRow =
    attr("signedness", bare(&SIGNEDNESS, &[]), Required, "Whether the integers are signed or unsigned.");

const OVERFLOWS: AttrRow = attr(
    "overflow",
    wrapped(&OVERFLOW, "overflow", &[]),
    Default(0),
    "What the compiler can assume about overflow. If the assumption does not hold, the result is undefined.",
);

const FLUSH: AttrRow = attr(
    "flush_to_zero",
    AttrKind::Flag("flush_to_zero"),
    Optional,
    "Subnormal inputs and results become zero of the same sign. For f32 only.",
);

const HINTS: AttrRow = attr(
    "optimization_hints",
    AttrKind::Hints,
    Optional,
    "Hints for the compiler, by architecture. They do not change the results.",
);

const INBOUNDS: AttrRow = AttrRow {
    since: Version::V13_4,
    ..attr(
        "inbounds",
        AttrKind::BoolList("index"),
        Optional,
        "For each dimension, whether the compiler can assume that the tile is inside the tensor.",
    )
};
