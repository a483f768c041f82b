//! Tables of entries of different lengths, and the strings.

use super::cursor::Cursor;
use super::error::Read;

/// A table: where each entry starts, and the entries.
pub(super) struct Table<'a> {
    starts: Vec<u64>,
    data: Cursor<'a>,
    /// What an entry is called.
    what: &'static str,
}

impl<'a> Table<'a> {
    /// An empty table.
    pub(super) fn empty(what: &'static str) -> Table<'a> {
        Table { starts: Vec::new(), data: Cursor::new(&[]), what }
    }

    /// Reads the number of entries and where they start, in numbers of `WIDTH` bytes.
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

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// An entry; `at` is where it was asked for.
    pub(super) fn entry(&self, index: u64, at: &Cursor) -> Read<Cursor<'a>> {
        let found = usize::try_from(index).ok().and_then(|index| Some((index, *self.starts.get(index)?)));
        let Some((index, start)) = found else {
            return at.fail(format!("there is no number {index} among the {} {}", self.len(), self.what));
        };
        let end = self.starts.get(index + 1).copied().unwrap_or(self.data.left() as u64);
        match self.data.slice(start, end, "an entry of a table") {
            Some(entry) => Ok(entry),
            None => at.fail(format!("number {index} of the {} does not lie inside their section", self.what)),
        }
    }
}
