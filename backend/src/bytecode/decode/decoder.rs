//! The tables of a file and what has been read of them.

use super::cursor::Cursor;
use super::debug_section::Debug;
use super::error::{Error, Read};
use super::known_types::Types;
use super::tables::Table;
use tile_dialect::Version;

/// A part of a file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The reason.
    pub error: Error,
    /// The number of the entry that holds the ops before that byte and lacks those after it. `None` where the part is
    /// missing as a whole.
    pub cut_entry: Option<usize>,
}

/// The tables of a file, and what has been read of them.
pub(super) struct Decoder<'a> {
    pub(super) version: Version,
    /// Whether the header announces preview content.
    pub(super) preview: bool,
    /// How many attributes are being read, one in the other.
    pub(super) open_values: usize,
    pub(super) strings: Table<'a>,
    pub(super) types: Types<'a>,
    pub(super) constants: Table<'a>,
    pub(super) debug: Option<Debug<'a>>,
    /// How many elements of constants may still come.
    pub(super) elements_left: usize,
    pub(super) warnings: Vec<Error>,
    pub(super) unread: Vec<Unread>,
}

impl<'a> Decoder<'a> {
    /// Returns a part that was read; one that could not be is missing from the program.
    pub(super) fn note_unread<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|error| self.unread.push(Unread { error, cut_entry: None })).ok()
    }

    /// Keeps a warning, once.
    pub(super) fn warn(&mut self, offset: usize, message: String) {
        let warning = Error { offset, message };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The string whose number stands here.
    pub(super) fn string(&self, cursor: &mut Cursor) -> Read<&'a [u8]> {
        let at = cursor.clone();
        let mut entry = self.strings.entry(cursor.varint()?, &at)?;
        entry.bytes(entry.left())
    }

    /// The name whose number stands here.
    pub(super) fn name(&self, cursor: &mut Cursor) -> Read<Box<str>> {
        let offset = cursor.offset();
        match std::str::from_utf8(self.string(cursor)?) {
            Ok("") => cursor.fail_at(offset, "a name is empty"),
            Ok(name) => Ok(name.into()),
            Err(_) => cursor.fail_at(offset, "a name is no UTF-8 text"),
        }
    }
}
