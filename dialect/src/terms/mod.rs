//! Documentation of all that is not an op: terms in a file for each kind, and notes for the rows of other tables.

mod attributes;
mod concepts;
mod elements;
mod enums;
mod hints;
mod types;

use crate::{Notes, Term};

/// The terms of the language that no other table holds.
pub static TERMS: [&[Term]; 3] = [types::TYPES, types::PARTS, concepts::ROWS];

/// What the pages of element types say beyond their rows.
pub static ELEMENT_NOTES: &[Notes] = elements::NOTES;

/// What the pages of hints and architectures say beyond their rows.
pub static HINT_NOTES: &[Notes] = hints::NOTES;

/// What the pages of attributes say beyond their rows, by the keywords of the attributes.
pub static ATTRIBUTE_NOTES: &[Notes] = attributes::NOTES;

/// What the pages of enums and of their values say beyond their rows.
pub static ENUM_NOTES: &[EnumNotes] = enums::NOTES;

/// What the page of an enum, and those of its values, say beyond the rows.
#[derive(Debug)]
pub struct EnumNotes {
    /// The enum, by its name in generic form.
    pub name: &'static str,
    /// The name of its page: the keyword that stands before its values in the text, or what people call it.
    pub page: &'static str,
    /// Other names that lead to its page.
    pub also: &'static [&'static str],
    /// What the enum decides, in Markdown.
    pub doc: &'static str,
    /// The page of the enum itself.
    pub own: Notes,
    /// The pages of the values; each value is in one of them.
    pub values: &'static [Notes],
}
