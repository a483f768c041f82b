//! Attributes of ops: the kind of value of each, and whether it is required.

use crate::{EnumRow, PreviewAttr, Version};

/// One attribute of an op.
#[derive(Debug)]
pub struct AttrRow {
    /// Its name in generic form.
    pub name: &'static str,
    /// The kind of its value, which determines how it is written.
    pub kind: AttrKind,
    /// Whether it is required.
    pub presence: Presence,
    /// Its description.
    pub doc: &'static str,
    /// The first version that has it.
    pub since: Version,
}

/// Whether an attribute is required.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It is required.
    Required,
    /// It can be absent, which has its own meaning.
    Optional,
    /// It defaults to this value, an index into its enum.
    Default(u8),
    /// It defaults to this number.
    DefaultInt(i64),
}

/// The kind of value of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrKind {
    /// A keyword of an enum.
    Enum {
        /// The enum.
        of: &'static EnumRow,
        /// The keyword around the value in the text, as in `rounding<zero>`; empty if the value is written bare.
        wrapper: &'static str,
        /// The values that this op accepts; empty means all of them.
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
    /// A list of Booleans, one for each value of the operand group of this name: `[true, false]`. By default, all are
    /// false.
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
    /// An attribute of the SIMT preview, such as `#cuda_tile<preview$synchronization<warp>>`.
    Preview(PreviewAttr),
    /// A list of attributes: `["sm_100"]`.
    Array,
    /// A dictionary: `{a = 1 : i32}`.
    Dictionary,
}
