//! The SIMT preview of 13.5: its attributes, types and enums. Its ops are ordinary rows of a separate group.
//!
//! Preview content is valid only in bytecode of this one version and only if the reader enables it, so it is not part
//! of the public language.

use crate::{EnumRow, EnumValue, Support, Version};

/// The only version whose bytecode can contain preview content.
pub const PREVIEW_VERSION: Version = Version::V13_5;

/// The name of the feature, as in `--preview simt`.
pub const PREVIEW_FEATURE: &str = "simt";

/// The prefix of the name of every preview op, type and attribute.
pub const PREVIEW_PREFIX: &str = "preview$";

/// The word that matches any value among the constant parameters of an implementation.
pub const WILDCARD: &str = "?";

/// The argument attribute that states how a function accesses the argument.
pub const ACCESS_ATTR: &str = "cuda_tile.preview$access";

/// An attribute of the preview.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum PreviewAttr {
    Int,
    Var,
    Mul,
    Div,
    Add,
    Sub,
    FloorDiv,
    Tuple,
    Layout,
    CeilDiv,
    ConcreteType,
    Neg,
    MemorySpace,
    Synchronization,
    Access,
    ScratchRequest,
    ConstParam,
    Builtin,
    ConstStr,
}

/// The row of an attribute of the preview.
#[derive(Debug)]
pub struct PreviewAttrRow {
    /// Which attribute it is.
    pub attr: PreviewAttr,
    /// Its tag in bytecode.
    pub tag: u16,
    /// Its name in the text, without [`PREVIEW_PREFIX`].
    pub name: &'static str,
    /// The contents of its angle brackets and of its bytecode, in this order.
    pub fields: &'static [PreviewField],
}

/// A part of an attribute.
#[derive(Debug)]
pub struct PreviewField {
    /// The keyword before it in the text, written with `=`; empty for none.
    pub label: &'static str,
    /// Its content.
    pub kind: FieldKind,
}

/// The content of a part of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A signed number, encoded as a zigzag varint.
    Int,
    /// A string.
    Text,
    /// A keyword of an enum.
    Keyword(&'static EnumRow),
    /// A type.
    Type,
    /// One attribute.
    One,
    /// A list of attributes.
    List,
    /// A list of attributes, written as a tuple in the text.
    Tuple,
}

/// A type of the preview that is written as a single word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum PreviewWord {
    Datatype,
    Shape,
    String,
    Index,
    None,
}

/// The row of a type of the preview.
#[derive(Debug)]
pub struct PreviewTypeRow {
    /// Its tag in bytecode.
    pub tag: u16,
    /// Its name in the text, including [`PREVIEW_PREFIX`] if that is written.
    pub name: &'static str,
    /// The type, if it has no parameters.
    pub word: Option<PreviewWord>,
}

const fn field(label: &'static str, kind: FieldKind) -> PreviewField {
    PreviewField { label, kind }
}

const PAIR: &[PreviewField] = &[field("", FieldKind::One), field("", FieldKind::One)];

const fn row(attr: PreviewAttr, tag: u16, name: &'static str, fields: &'static [PreviewField]) -> PreviewAttrRow {
    PreviewAttrRow { attr, tag, name, fields }
}

/// Every attribute of the preview, in the order of [`PreviewAttr`].
pub static PREVIEW_ATTRS: [PreviewAttrRow; 19] = [
    row(PreviewAttr::Int, 0xD1, "expr_int", &[field("", FieldKind::Int)]),
    row(PreviewAttr::Var, 0xD2, "expr_var", &[field("", FieldKind::Text)]),
    row(PreviewAttr::Mul, 0xD3, "expr_mul", PAIR),
    row(PreviewAttr::Div, 0xD4, "expr_div", PAIR),
    row(PreviewAttr::Add, 0xD5, "expr_add", PAIR),
    row(PreviewAttr::Sub, 0xD6, "expr_sub", PAIR),
    row(PreviewAttr::FloorDiv, 0xD7, "expr_floor_div", PAIR),
    row(PreviewAttr::Tuple, 0xD8, "symbolic_tuple", &[field("", FieldKind::List)]),
    row(PreviewAttr::Layout, 0xD9, "layout", &[field("shapes", FieldKind::Tuple), field("strides", FieldKind::Tuple)]),
    row(PreviewAttr::CeilDiv, 0xDA, "expr_ceil_div", PAIR),
    row(PreviewAttr::ConcreteType, 0xDB, "concrete_type", &[field("", FieldKind::Type)]),
    row(PreviewAttr::Neg, 0xDC, "expr_neg", &[field("", FieldKind::One)]),
    row(PreviewAttr::MemorySpace, 0xDD, "memory_space", &[field("", FieldKind::Keyword(&MEMORY_SPACE))]),
    row(PreviewAttr::Synchronization, 0xDE, "synchronization", &[field("", FieldKind::Keyword(&SYNCHRONIZATION))]),
    row(PreviewAttr::Access, 0xDF, "access", &[field("", FieldKind::Keyword(&ACCESS))]),
    row(
        PreviewAttr::ScratchRequest,
        0xE0,
        "scratch_request",
        &[field("smem.size", FieldKind::One), field("smem.alignment", FieldKind::One)],
    ),
    row(
        PreviewAttr::ConstParam,
        0xE2,
        "const_param",
        &[field("name", FieldKind::Text), field("type", FieldKind::Type)],
    ),
    row(PreviewAttr::Builtin, 0xE3, "expr_builtin", &[field("", FieldKind::Text), field("", FieldKind::Type)]),
    row(PreviewAttr::ConstStr, 0xE4, "expr_const_str", &[field("", FieldKind::Text)]),
];

/// The tag of a symbolic element type.
pub const SYMBOL_TYPE_TAG: u16 = 0xD1;

/// The tag of a fragment.
pub const FRAGMENT_TAG: u16 = 0xD2;

/// Every type of the preview. Tiles with symbolic extents use the name and the tag of other tiles.
pub static PREVIEW_TYPES: [PreviewTypeRow; 7] = [
    PreviewTypeRow { tag: SYMBOL_TYPE_TAG, name: "preview$sym_t", word: None },
    PreviewTypeRow { tag: FRAGMENT_TAG, name: "preview$fragment", word: None },
    PreviewTypeRow { tag: 0xD3, name: "preview$Datatype", word: Some(PreviewWord::Datatype) },
    PreviewTypeRow { tag: 0xD4, name: "preview$shape", word: Some(PreviewWord::Shape) },
    PreviewTypeRow { tag: 0xD5, name: "preview$string", word: Some(PreviewWord::String) },
    PreviewTypeRow { tag: 0xD6, name: "index", word: Some(PreviewWord::Index) },
    PreviewTypeRow { tag: 0xD7, name: "none", word: Some(PreviewWord::None) },
];

const fn value(name: &'static str, doc: &'static str) -> EnumValue {
    EnumValue { name, doc, since: PREVIEW_VERSION, gpus: Support::EVERYWHERE }
}

/// The memory in which the elements of a fragment are stored.
pub static MEMORY_SPACE: EnumRow = EnumRow {
    name: "preview$memory_space",
    title: "memory space",
    numbered: false,
    values: &[
        value("local", "Every thread has its own copy; the argument is a generic pointer to it."),
        value("smem", "The threads share one copy; the argument is an address in shared memory."),
    ],
};

/// The group of threads that runs an implementation together.
pub static SYNCHRONIZATION: EnumRow = EnumRow {
    name: "preview$synchronization",
    title: "synchronization",
    numbered: false,
    values: &[
        value("none", "Each thread runs separately."),
        value("warp", "Whole warps: the number of participants is a multiple of 32."),
        value("warpgroup", "Whole warpgroups: the number of participants is a multiple of 128."),
        value("cta", "All threads of the CTA."),
    ],
};

/// How a function accesses an argument.
pub static ACCESS: EnumRow = EnumRow {
    name: "preview$access",
    title: "access",
    numbered: false,
    values: &[
        value("in", "The function reads it."),
        value("out", "The function writes it and does not read its previous contents."),
        value("inout", "The function reads and writes it."),
    ],
};

/// Values of [`MEMORY_SPACE`], [`SYNCHRONIZATION`] and [`ACCESS`].
pub mod preview_value {
    #![allow(missing_docs)]
    pub const LOCAL: u8 = 0;
    pub const SMEM: u8 = 1;
    pub const WARP: u8 = 1;
    pub const WARPGROUP: u8 = 2;
    pub const IN: u8 = 0;
}

impl PreviewAttr {
    /// The row of the attribute.
    pub fn row(self) -> &'static PreviewAttrRow {
        &PREVIEW_ATTRS[self as usize]
    }

    /// The attribute whose name, without [`PREVIEW_PREFIX`], is `name`.
    pub fn from_name(name: &str) -> Option<PreviewAttr> {
        PREVIEW_ATTRS.iter().find(|row| row.name == name).map(|row| row.attr)
    }

    /// The attribute with this tag in bytecode.
    pub fn from_tag(tag: u64) -> Option<PreviewAttr> {
        PREVIEW_ATTRS.iter().find(|row| u64::from(row.tag) == tag).map(|row| row.attr)
    }
}

impl PreviewWord {
    /// The row of the type.
    pub fn row(self) -> &'static PreviewTypeRow {
        let found = PREVIEW_TYPES.iter().find(|row| row.word == Some(self));
        found.expect("every word has a row, as a test checks")
    }

    /// The type called `name`, including [`PREVIEW_PREFIX`] if that is written.
    pub fn from_name(name: &str) -> Option<PreviewWord> {
        PREVIEW_TYPES.iter().find(|row| row.name == name).and_then(|row| row.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (index, row) in PREVIEW_ATTRS.iter().enumerate() {
            assert_eq!(row.attr as usize, index, "{}", row.name);
            assert_eq!(PreviewAttr::from_tag(row.tag.into()), Some(row.attr));
            assert_eq!(PreviewAttr::from_name(row.name), Some(row.attr));
        }
        for word in PREVIEW_TYPES.iter().filter_map(|row| row.word) {
            assert_eq!(PreviewWord::from_name(word.row().name), Some(word));
        }
    }

    #[test]
    fn preview_ops_have_their_own_prefix_and_opcodes() {
        for row in crate::ops() {
            assert_eq!(row.is_preview(), row.name.starts_with(PREVIEW_PREFIX), "{}", row.name);
            assert_eq!(row.opcode.is_some_and(|opcode| opcode >= 0x4000), row.is_preview() && row.opcode.is_some());
        }
    }
}
