//! Kinds of highlighted words.

use std::ops::Range;

/// A highlighted word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// The range, in bytes of the file.
    pub range: Range<u32>,
    /// The kind.
    pub kind: Kind,
    /// A bit set of [`modifier`]s.
    pub modifiers: u8,
}

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// The name of an op.
    Op,
    /// The name of a control flow op, or of a module or function: `for`, `entry`.
    Control,
    /// A word of an op's syntax: `in`, `step`, `iter_values`.
    Keyword,
    /// The name of an attribute: `rounding` of `rounding<zero>`.
    Attribute,
    /// A keyword that is the value of an attribute: `zero`, `signed`, `weak`.
    AttributeValue,
    /// A value that an op defines.
    Value,
    /// A parameter of an entry, or of a block.
    Parameter,
    /// A type's constructor: `tile`, `ptr`.
    Type,
    /// An element type: `f32`, also that of `64xf32`.
    Element,
    /// An alias: `!t`, `#a`.
    Alias,
    /// A global.
    Global,
    /// An entry, or a function of the SIMT preview.
    Entry,
    /// A module.
    Module,
    /// A label of a block.
    Label,
    /// A number, or the extents of a type.
    Number,
    /// A string.
    Text,
    /// A comment.
    Comment,
    /// A word of a launch directive: `//@`, `launch`, `expect`.
    Directive,
    /// A function in a launch directive: `uniform`, `sum`.
    Function,
}

/// Modifiers of a word.
pub mod modifier {
    /// The definition of the name.
    pub const DEFINITION: u8 = 1;
    /// A parameter of a block rather than an entry.
    pub const BLOCK: u8 = 2;
    /// A deprecated spelling.
    pub const DEPRECATED: u8 = 4;
    /// A constant global.
    pub const READONLY: u8 = 8;
}
