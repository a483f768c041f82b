//! Decodes debug attributes and the locations of ops.

use super::cursor::Cursor;
use super::debug_section::{Entry, Track};
use super::decoder::Decoder;
use super::error::Read;
use crate::format::{debug_tag, subprogram_flag};
use tile_analysis::debug_info::{DebugAttr, DebugId, Position};
use tile_dialect::Version;

impl Decoder<'_> {
    /// Reads the next location of a track. Returns `None` for a function without locations.
    pub(super) fn next_location(&mut self, track: &mut Track, at: &Cursor) -> Read<Option<DebugId>> {
        if track.function == 0 {
            return Ok(None);
        }
        let Some(debug) = self.debug.as_mut() else {
            // If the debug section could not be read, that has been reported.
            let message = format!("function {} has no locations", track.function);
            return if self.unread.is_empty() { at.fail(message) } else { Ok(None) };
        };
        let index = debug.index(track, at)?;
        track.taken += 1;
        let id = self.debug_attr(index, at)?;
        match &self.debug.as_ref().map(|debug| &debug.attrs.attrs()[id.0 as usize]) {
            Some(DebugAttr::Unknown | DebugAttr::Scoped { .. } | DebugAttr::CallSite { .. }) => Ok(Some(id)),
            _ => at.fail(format!("the debug attribute {index} is not a location")),
        }
    }

    /// Reads all debug attributes in the order of the table, so that they keep that order. Empty entries are skipped:
    /// they only fill gaps.
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

    /// Reads a debug attribute by its index. The attributes that it refers to are read first, without recursion,
    /// because chains can be long.
    fn debug_attr(&mut self, index: u64, at: &Cursor) -> Read<DebugId> {
        let mut stack = vec![index];
        while let Some(&index) = stack.last() {
            let Some(debug) = &mut self.debug else { break };
            match debug.entry(index) {
                None => return at.fail(format!("unknown debug attribute {index}")),
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

    /// Parses an attribute after all attributes that it refers to.
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
            // NVIDIA's reader treats every other tag as an unknown location.
            _ => DebugAttr::Unknown,
        };
        if !matches!(attr, DebugAttr::Unknown) {
            entry.finish()?;
        }
        Ok(attr)
    }

    /// Reads the flags of a subprogram, which only say whether it is a declaration. Versions before 13.5 have no flags.
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

    /// Reads a reference to an attribute that has been read.
    fn part(&mut self, entry: &mut Cursor, what: &str, is_valid: fn(&DebugAttr) -> bool) -> Read<DebugId> {
        let offset = entry.offset();
        let index = entry.varint()?;
        if let Some(debug) = &self.debug
            && let Some(Entry::Read(id)) = debug.entry(index)
            && is_valid(&debug.attrs.attrs()[id.0 as usize])
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

/// Reads the indices of the attributes that an entry of the table refers to.
fn references(entry: &mut Cursor) -> Read<Vec<u64>> {
    // Which of the first numbers of an entry are indices of attributes.
    let attrs: &[bool] = match entry.byte()? {
        debug_tag::COMPILE_UNIT | debug_tag::SCOPED => &[true],
        debug_tag::LEXICAL_BLOCK | debug_tag::CALL_SITE => &[true, true],
        debug_tag::SUBPROGRAM => &[true, false, false, false, true],
        _ => &[],
    };
    let numbers = attrs.iter().map(|&is_attr| Ok((is_attr, entry.varint()?))).collect::<Read<Vec<_>>>()?;
    Ok(numbers.into_iter().filter(|(is_attr, _)| *is_attr).map(|(_, number)| number).collect())
}

/// Reads a line or a column.
fn place(entry: &mut Cursor) -> Read<u32> {
    let offset = entry.offset();
    let number = entry.varint()?;
    u32::try_from(number).or_else(|_| entry.fail_at(offset, format!("{number} is not a valid line or column")))
}
