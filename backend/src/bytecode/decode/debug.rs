//! The section that says where the ops come from.

use super::Decoder;
use super::cursor::Cursor;
use super::error::Read;
use super::tables::Table;
use crate::bytecode::format::{debug_tag, subprogram_flag};
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugTable, Position};
use tile_dialect::Version;

/// The debug section of a file.
pub(super) struct Debug<'a> {
    /// Where the locations of each function start.
    starts: Vec<u64>,
    /// For each function its own location and those of its ops.
    indices: Cursor<'a>,
    table: Table<'a>,
    /// What the entries of the table are, as far as they have been asked for.
    known: Vec<Entry>,
    attrs: DebugTable,
}

#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Unread,
    /// Waiting for what it refers to.
    Open,
    Read(DebugId),
}

/// Where the locations of a function are, and how many have been read.
pub(super) struct Track {
    /// The function's number in the section, from 1; 0 where nothing is said about it.
    function: u64,
    taken: u64,
}

impl Track {
    pub(super) fn of(function: u64) -> Track {
        Track { function, taken: 0 }
    }
}

/// How many bytes the index of a location takes.
const INDEX_WIDTH: u64 = 8;

impl<'a> Debug<'a> {
    pub(super) fn read(mut cursor: Cursor<'a>) -> Read<Debug<'a>> {
        let count = cursor.count("functions", 4)?;
        cursor.align(4)?;
        let starts = (0..count).map(|_| cursor.fixed::<4>()).collect::<Read<Vec<u64>>>()?;
        let count = cursor.count("locations", INDEX_WIDTH as usize)?;
        cursor.align(INDEX_WIDTH as usize)?;
        let indices = cursor.part(count as u64 * INDEX_WIDTH, "the list of locations")?;
        // The table is aligned with the section, not with its own start.
        let table = Table::read::<4>(cursor, "debug attributes")?;
        let known = vec![Entry::Unread; table.len()];
        Ok(Debug { starts, indices, table, known, attrs: DebugTable::default() })
    }

    pub(super) fn into_attrs(self) -> Vec<DebugAttr> {
        self.attrs.attrs().to_vec()
    }

    /// The index that a track has reached.
    fn index(&self, track: &Track, at: &Cursor) -> Read<u64> {
        let start = usize::try_from(track.function - 1).ok().and_then(|index| self.starts.get(index));
        let Some(start) = start else {
            return at.fail(format!("there are no locations of a function {}", track.function));
        };
        let from = start.saturating_add(track.taken).saturating_mul(INDEX_WIDTH);
        match self.indices.slice(from, from.saturating_add(INDEX_WIDTH), "the list of locations") {
            Some(mut index) => index.fixed::<8>(),
            None => at.fail("there are fewer locations than ops"),
        }
    }

    fn entry(&self, index: u64) -> Option<Entry> {
        if index == 0 {
            return Some(Entry::Read(DebugId::UNKNOWN));
        }
        self.known.get(usize::try_from(index - 1).ok()?).copied()
    }
}

impl Decoder<'_> {
    /// The next location of a track; `None` where nothing is said.
    pub(super) fn next_location(&mut self, track: &mut Track, at: &Cursor) -> Read<Option<DebugId>> {
        if track.function == 0 {
            return Ok(None);
        }
        let Some(debug) = self.debug.as_mut() else {
            // Where the debug section could not be read, that has been reported.
            let message = format!("there are no locations of a function {}", track.function);
            return if self.unread.is_empty() { at.fail(message) } else { Ok(None) };
        };
        let index = debug.index(track, at)?;
        track.taken += 1;
        let id = self.debug_attr(index, at)?;
        match &self.debug.as_ref().map(|debug| &debug.attrs.attrs()[id.0 as usize]) {
            Some(DebugAttr::Unknown | DebugAttr::Scoped { .. } | DebugAttr::CallSite { .. }) => Ok(Some(id)),
            _ => at.fail(format!("the debug attribute {index} is no location")),
        }
    }

    /// Reads every debug attribute, in the order of the table, so that they keep it. Empty entries only fill the table.
    pub(super) fn debug_attrs(&mut self, at: &Cursor) -> Read<()> {
        let count = self.debug.as_ref().map_or(0, |debug| debug.known.len());
        for index in 1..=count as u64 {
            let Some(debug) = &self.debug else { break };
            if debug.table.entry(index - 1, at)?.left() > 0 {
                self.debug_attr(index, at)?;
            }
        }
        Ok(())
    }

    /// A debug attribute by its index. What it refers to is read first, without recursion: chains may be long.
    fn debug_attr(&mut self, index: u64, at: &Cursor) -> Read<DebugId> {
        let mut stack = vec![index];
        while let Some(&index) = stack.last() {
            let Some(debug) = &mut self.debug else { break };
            match debug.entry(index) {
                None => return at.fail(format!("there is no debug attribute {index}")),
                Some(Entry::Read(_)) => _ = stack.pop(),
                Some(state) => {
                    let entry = debug.table.entry(index - 1, at)?;
                    let parts = references(&mut entry.clone())?;
                    let open: Vec<u64> =
                        parts.into_iter().filter(|&part| !matches!(debug.entry(part), Some(Entry::Read(_)))).collect();
                    if open.is_empty() {
                        let attr = self.parse_debug(entry)?;
                        let Some(debug) = &mut self.debug else { break };
                        debug.known[index as usize - 1] = Entry::Read(debug.attrs.intern(attr));
                        stack.pop();
                    } else if state == Entry::Open {
                        return entry.fail("a debug attribute refers to itself");
                    } else {
                        debug.known[index as usize - 1] = Entry::Open;
                        stack.extend(open);
                    }
                }
            }
        }
        match self.debug.as_ref().and_then(|debug| debug.entry(index)) {
            Some(Entry::Read(id)) => Ok(id),
            _ => Ok(DebugId::UNKNOWN),
        }
    }

    /// An attribute whose parts have been read.
    fn parse_debug(&mut self, mut entry: Cursor) -> Read<DebugAttr> {
        let tag = entry.byte()?;
        let attr = match tag {
            debug_tag::FILE => {
                DebugAttr::File { name: self.string(&mut entry)?.into(), directory: self.string(&mut entry)?.into() }
            }
            debug_tag::COMPILE_UNIT => DebugAttr::CompileUnit { file: self.part(&mut entry, "a file", is_file)? },
            debug_tag::LEXICAL_BLOCK => DebugAttr::LexicalBlock {
                scope: self.part(&mut entry, "a scope", is_scope)?,
                file: self.part(&mut entry, "a file", is_file)?,
                line: place(&mut entry)?,
                column: place(&mut entry)?,
            },
            debug_tag::SCOPED => {
                let scope = self.part(&mut entry, "a scope", is_scope)?;
                let file = self.string(&mut entry)?.into();
                let position = Position { file, line: place(&mut entry)?, column: place(&mut entry)? };
                DebugAttr::Scoped { position, scope }
            }
            debug_tag::SUBPROGRAM => DebugAttr::Subprogram {
                file: self.part(&mut entry, "a file", is_file)?,
                line: place(&mut entry)?,
                name: self.string(&mut entry)?.into(),
                linkage_name: self.string(&mut entry)?.into(),
                unit: self.part(&mut entry, "a compile unit", |attr| matches!(attr, DebugAttr::CompileUnit { .. }))?,
                scope_line: place(&mut entry)?,
                declaration: self.subprogram_flags(&mut entry)?,
            },
            debug_tag::CALL_SITE => DebugAttr::CallSite {
                callee: self.part(&mut entry, "a location", is_location)?,
                caller: self.part(&mut entry, "a location", is_location)?,
            },
            // Upstream's reader takes every other number for a location that is not known.
            _ => DebugAttr::Unknown,
        };
        if !matches!(attr, DebugAttr::Unknown) {
            entry.finish()?;
        }
        Ok(attr)
    }

    /// Whether a subprogram is a declaration, the only flag there is. Versions before 13.5 have none.
    fn subprogram_flags(&self, entry: &mut Cursor) -> Read<bool> {
        if self.version < Version::V13_5 {
            return Ok(false);
        }
        let offset = entry.offset();
        match entry.varint()? {
            flags @ 0..=subprogram_flag::DECLARATION => Ok(flags != 0),
            flags => entry.fail_at(offset, format!("unknown flags {flags:#x} of a subprogram")),
        }
    }

    /// What an attribute refers to, which has been read.
    fn part(&mut self, entry: &mut Cursor, what: &str, wanted: fn(&DebugAttr) -> bool) -> Read<DebugId> {
        let offset = entry.offset();
        let index = entry.varint()?;
        if let Some(debug) = &self.debug
            && let Some(Entry::Read(id)) = debug.entry(index)
            && wanted(&debug.attrs.attrs()[id.0 as usize])
        {
            return Ok(id);
        }
        entry.fail_at(offset, format!("the debug attribute {index} is not {what}"))
    }
}

fn is_file(attr: &DebugAttr) -> bool {
    matches!(attr, DebugAttr::File { .. })
}

fn is_scope(attr: &DebugAttr) -> bool {
    matches!(attr, DebugAttr::Subprogram { .. } | DebugAttr::LexicalBlock { .. })
}

fn is_location(attr: &DebugAttr) -> bool {
    matches!(attr, DebugAttr::Unknown | DebugAttr::Scoped { .. } | DebugAttr::CallSite { .. })
}

/// The attributes that an entry of the table refers to.
fn references(entry: &mut Cursor) -> Read<Vec<u64>> {
    // For each kind, which of its numbers are attributes.
    let attrs: &[bool] = match entry.byte()? {
        debug_tag::COMPILE_UNIT | debug_tag::SCOPED => &[true],
        debug_tag::LEXICAL_BLOCK | debug_tag::CALL_SITE => &[true, true],
        debug_tag::SUBPROGRAM => &[true, false, false, false, true],
        _ => &[],
    };
    let numbers = attrs.iter().map(|&is_attr| Ok((is_attr, entry.varint()?))).collect::<Read<Vec<_>>>()?;
    Ok(numbers.into_iter().filter(|(is_attr, _)| *is_attr).map(|(_, number)| number).collect())
}

/// A line or a column.
fn place(entry: &mut Cursor) -> Read<u32> {
    let offset = entry.offset();
    let number = entry.varint()?;
    u32::try_from(number).or_else(|_| entry.fail_at(offset, format!("{number} is no line or column")))
}
