//! Attributes of ops: what kind of value each has, and whether it must be given.

use crate::{EnumRow, PreviewAttr, Version};

/// One attribute of an op.
#[derive(Debug)]
pub struct AttrRow {
    /// Its name in generic form.
    pub name: &'static str,
    /// What kind of value it has, and how that is written.
    pub kind: AttrKind,
    /// Whether it must be given.
    pub presence: Presence,
    /// Its meaning.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// Whether an attribute must be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It must.
    Required,
    /// It can be absent, which is a separate value.
    Optional,
    /// Leaving it out means this value, an index into its enum.
    Default(u8),
    /// Leaving it out means this number.
    DefaultInt(i64),
}

/// What kind of value an attribute has.
#[derive(Clone, Copy, Debug)]
pub enum AttrKind {
    /// A keyword of an enum. `only` lists the ones that this op takes.
    Enum {
        /// The enum.
        of: &'static EnumRow,
        /// The keyword around the value in the text, as in `rounding<zero>`; empty if the value is bare.
        wrapper: &'static str,
        /// The values this op takes; empty means all of them.
        only: &'static [u8],
    },
    /// Present or not; the string is the keyword.
    Flag(&'static str),
    /// An integer of this many bits.
    Int(u8),
    /// `true` or `false`.
    Bool,
    /// A string.
    Str,
    /// The name that the op defines.
    SymbolName,
    /// A name that another op defines.
    SymbolRef,
    /// A constant: `<f32: 1.0>`.
    Dense,
    /// A list of integers: `[1, 0]`.
    IntList,
    /// A list of truth values, one for each value of the operand group of this name: `[true, false]`. Where it is left
    /// out all are false.
    BoolList(&'static str),
    /// A list of typed numbers: `[0.0 : f32]`.
    Identities,
    /// Optimization hints: `<sm_90 = {latency = 3}>`.
    Hints,
    /// The predicate of an assumption: `div_by<16>`.
    Predicate,
    /// A type, in generic form only.
    Type,
    /// A dictionary list, in generic form only.
    DictList,
    /// Constant parameters of a preview function: `<[N: index]>`.
    ConstParams,
    /// Values of constant parameters: `<[64, f32]>`.
    ConstArgs,
    /// An attribute of the preview, such as `#cuda_tile<preview$synchronization<warp>>`.
    Preview(PreviewAttr),
    /// A list of attributes: `["sm_100"]`.
    Array,
    /// A dictionary: `{a = 1 : i32}`.
    Dictionary,
}
