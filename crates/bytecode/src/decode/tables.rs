//! Decodes tables.

use super::cursor::Cursor;
use super::error::Read;

/// A table of entries of different lengths.
pub(super) struct Table<'a> {
    starts: Vec<u64>,
    data: Cursor<'a>,
    /// The name of the entries in messages.
    what: &'static str,
}

impl<'a> Table<'a> {
    /// An empty table.
    pub(super) fn empty(what: &'static str) -> Table<'a> {
        Table { starts: Vec::new(), data: Cursor::new(&[]), what }
    }

    /// Reads the number of entries and the start of each, in numbers of `WIDTH` bytes.
    pub(super) fn read<const WIDTH: usize>(mut cursor: Cursor<'a>, what: &'static str) -> Read<Table<'a>> {
        let count = cursor.count(what, WIDTH)?;
        if count > 0 {
            cursor.align(WIDTH)?;
        }
        let mut starts = Vec::with_capacity(count.min(cursor.left() / WIDTH));
        for _ in 0..count {
            starts.push(cursor.fixed::<WIDTH>()?);
        }
        Ok(Table { starts, data: cursor.rest(), what })
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns an entry. `at` is the position of the reference to it.
    pub(super) fn entry(&self, index: u64, at: &Cursor) -> Read<Cursor<'a>> {
        let found = usize::try_from(index).ok().and_then(|index| Some((index, *self.starts.get(index)?)));
        let Some((index, start)) = found else {
            return at.fail(format!("index {index} is out of range: the file has {} {}", self.len(), self.what));
        };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.data.left() as u64);
        match self.data.slice(start, end, "an entry of a table") {
            Some(entry) => Ok(entry),
            None => at.fail(format!("entry {index} of the {} is not within its section", self.what)),
        }
    }
}
