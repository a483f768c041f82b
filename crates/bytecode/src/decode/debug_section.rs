//! The state of reading the debug section.

use super::cursor::Cursor;
use super::error::Read;
use super::tables::Table;
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugTable};

/// The debug section of a file, read on demand.
pub(super) struct Debug<'a> {
    /// The start of each function's locations.
    pub(super) starts: Vec<u64>,
    /// The location of each function, followed by those of its ops.
    pub(super) indices: Cursor<'a>,
    pub(super) table: Table<'a>,
    /// The entries of the table that have been read.
    pub(super) known: Vec<Entry>,
    pub(super) attrs: DebugTable,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Entry {
    Unread,
    /// Waiting for an entry that it refers to.
    Open,
    Read(DebugId),
}

/// The position in the locations of a function.
pub(super) struct Track {
    /// The function's number in the section, from 1; 0 if it has no locations.
    pub(super) function: u64,
    pub(super) taken: u64,
}

impl Track {
    pub(super) fn of(function: u64) -> Track {
        Track { function, taken: 0 }
    }
}

/// The width of a location's index in bytes.
const INDEX_WIDTH: u64 = 8;

impl<'a> Debug<'a> {
    pub(super) fn read(mut cursor: Cursor<'a>) -> Read<Debug<'a>> {
        let count = cursor.count("functions", 4)?;
        cursor.align(4)?;
        let starts = (0..count).map(|_| cursor.fixed::<4>()).collect::<Read<Vec<u64>>>()?;
        let count = cursor.count("locations", INDEX_WIDTH as usize)?;
        cursor.align(INDEX_WIDTH as usize)?;
        let indices = cursor.part(count as u64 * INDEX_WIDTH, "the list of locations")?;
        // The table is aligned relative to the section, not to its own start.
        let table = Table::read::<4>(cursor, "debug attributes")?;
        let known = vec![Entry::Unread; table.len()];
        Ok(Debug { starts, indices, table, known, attrs: DebugTable::default() })
    }

    pub(super) fn into_attrs(self) -> Vec<DebugAttr> {
        self.attrs.attrs().to_vec()
    }

    /// The index of a track's current location.
    pub(super) fn index(&self, track: &Track, at: &Cursor) -> Read<u64> {
        let start = usize::try_from(track.function - 1).ok().and_then(|index| self.starts.get(index));
        let Some(start) = start else {
            return at.fail(format!("function {} has no locations", track.function));
        };
        let from = start.saturating_add(track.taken).saturating_mul(INDEX_WIDTH);
        match self.indices.slice(from, from.saturating_add(INDEX_WIDTH), "the list of locations") {
            Some(mut index) => index.fixed::<8>(),
            None => at.fail("there are fewer locations than ops"),
        }
    }

    pub(super) fn entry(&self, index: u64) -> Option<Entry> {
        if index == 0 {
            return Some(Entry::Read(DebugId::UNKNOWN));
        }
        self.known.get(usize::try_from(index - 1).ok()?).copied()
    }
}
