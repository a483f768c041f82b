//! What a word of a program can be.

use std::ops::Range;

/// A word and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Where it stands, in bytes of the file.
    pub range: Range<u32>,
    /// What it is.
    pub kind: Kind,
    /// What else holds for it: the sum of some of [`modifier`].
    pub modifiers: u8,
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// The name of an op.
    Op,
    /// The name of an op that decides where control goes, or that holds others: `for`, `entry`.
    Control,
    /// A word that belongs to the way an op is written: `in`, `step`, `iter_values`.
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
    /// A number, also the extents of a type.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
    /// A word of a launch directive: `//@`, `launch`, `expect`.
    Directive,
    /// A function in a launch directive: `uniform`, `sum`.
    Function,
}

/// What else may hold for a word.
pub mod modifier {
    /// It is defined here.
    pub const DEFINITION: u8 = 1;
    /// It is a parameter of a block, not of an entry.
    pub const BLOCK: u8 = 2;
    /// It is written as an older version has it.
    pub const DEPRECATED: u8 = 4;
    /// It never changes: a constant global.
    pub const READONLY: u8 = 8;
}
