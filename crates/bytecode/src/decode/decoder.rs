//! The state of the decoder.

use super::cursor::Cursor;
use super::debug_section::Debug;
use super::error::{Error, Read};
use super::known_types::Types;
use super::tables::Table;
use tile_dialect::Version;

/// A part of a file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The reason.
    pub error: Error,
    /// The number of the entry that has the ops before the error but not those after it. `None` if the whole part is
    /// missing.
    pub cut_entry: Option<usize>,
}

/// The tables of a file, and the content that has been read.
pub(super) struct Decoder<'a> {
    pub(super) version: Version,
    /// Whether the header announces preview content.
    pub(super) preview: bool,
    /// The nesting depth of the attribute that is being read.
    pub(super) open_values: usize,
    pub(super) strings: Table<'a>,
    pub(super) types: Types<'a>,
    pub(super) constants: Table<'a>,
    pub(super) debug: Option<Debug<'a>>,
    /// The number of elements that further constants can have.
    pub(super) elements_left: usize,
    pub(super) warnings: Vec<Error>,
    pub(super) unread: Vec<Unread>,
}

impl<'a> Decoder<'a> {
    /// Returns a part, or records its error and leaves it out of the program.
    pub(super) fn note_unread<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|error| self.unread.push(Unread { error, cut_entry: None })).ok()
    }

    /// Records a warning, unless it is a duplicate.
    pub(super) fn warn(&mut self, offset: usize, message: String) {
        let warning = Error { offset, message };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Reads the number of a string and returns the string.
    pub(super) fn string(&self, cursor: &mut Cursor) -> Read<&'a [u8]> {
        let at = cursor.clone();
        let mut entry = self.strings.entry(cursor.varint()?, &at)?;
        entry.bytes(entry.left())
    }

    /// Reads the number of a name and returns the name.
    pub(super) fn name(&self, cursor: &mut Cursor) -> Read<Box<str>> {
        let offset = cursor.offset();
        match std::str::from_utf8(self.string(cursor)?) {
            Ok("") => cursor.fail_at(offset, "a name is empty"),
            Ok(name) => Ok(name.into()),
            Err(_) => cursor.fail_at(offset, "a name is not valid UTF-8"),
        }
    }
}
