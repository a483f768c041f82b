//! Documentation of everything except ops: terms, in one file for each kind, and notes for the rows of other tables.

mod attributes;
mod concepts;
mod elements;
mod enums;
mod hints;
mod preview;
mod types;

use crate::{EnumNotes, Notes, Term};

/// The terms of the language that are not in another table.
pub static TERMS: [&[Term]; 4] = [types::TYPES, types::PARTS, concepts::ROWS, preview::ROWS];

/// Notes on element types.
pub static ELEMENT_NOTES: &[Notes] = elements::NOTES;

/// Notes on hints and architectures.
pub static HINT_NOTES: &[Notes] = hints::NOTES;

/// Notes on attributes, by keyword.
pub static ATTRIBUTE_NOTES: &[Notes] = attributes::NOTES;

/// Notes on enums and their values.
pub static ENUM_NOTES: &[EnumNotes] = enums::NOTES;
