//! Encodes the debug section.

use super::sections::{Table, pad};
use super::tables::Strings;
use crate::format::{debug_tag, subprogram_flag};
use crate::varint;
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo, Lookup};
use tile_analysis::ir::OpId;
use tile_dialect::Version;

/// The debug section under construction.
pub(super) struct DebugSection<'a> {
    info: &'a DebugInfo,
    version: Version,
    /// The index of each attribute in the section; 0 if the section cannot represent it.
    indices: Vec<u64>,
    /// The current entry, if it has locations.
    entry: Option<usize>,
    /// The start of each function's locations.
    starts: Vec<u32>,
    /// The location of each function, followed by those of its ops in order.
    locations: Vec<DebugId>,
}

impl<'a> DebugSection<'a> {
    pub(super) fn new(info: &'a DebugInfo, version: Version) -> DebugSection<'a> {
        let indices = indices(info);
        DebugSection { info, version, indices, entry: None, starts: Vec::new(), locations: Vec::new() }
    }

    /// Starts a function. Returns its number in the section, from 1, or 0 if its location is unknown.
    pub(super) fn open_function(&mut self, entry: usize) -> u64 {
        let location = self.info.entry(entry);
        self.entry = (self.index(location) != 0).then_some(entry);
        if self.entry.is_none() {
            return 0;
        }
        self.starts.push(self.locations.len() as u32);
        self.locations.push(location);
        self.starts.len() as u64
    }

    /// Adds the location of the next op.
    pub(super) fn op(&mut self, op: OpId) {
        if let Some(entry) = self.entry {
            self.locations.push(self.info.op(entry, op.0 as usize));
        }
    }

    /// Whether the subprogram of the current entry is a declaration.
    pub(super) fn is_declaration(&self) -> bool {
        let attrs = &self.info.attrs[..];
        let scope = self.entry.and_then(|entry| attrs.scope(self.info.entry(entry)));
        let subprogram = scope.and_then(|scope| attrs.subprogram(scope));
        subprogram.is_some_and(|id| matches!(attrs.attr(id), DebugAttr::Subprogram { declaration: true, .. }))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    fn index(&self, id: DebugId) -> u64 {
        self.indices.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// Encodes the section up to the entries of its table. Returns it with the table.
    pub(super) fn section(&self, strings: &mut Strings<'a>) -> (Vec<u8>, Table) {
        let mut bytes = Vec::with_capacity(self.locations.len() * 16);
        varint::write(&mut bytes, self.starts.len() as u64);
        pad(&mut bytes, 4);
        self.starts.iter().for_each(|start| bytes.extend_from_slice(&start.to_le_bytes()));
        varint::write(&mut bytes, self.locations.len() as u64);
        pad(&mut bytes, 8);
        self.locations.iter().for_each(|&id| bytes.extend_from_slice(&self.index(id).to_le_bytes()));
        let table = self.table(strings);
        table.write_head(4, &mut bytes);
        (bytes, table)
    }

    fn table(&self, strings: &mut Strings<'a>) -> Table {
        let has_flags = self.version >= Version::V13_5;
        let mut table = Table::default();
        // Most locations are in the same file, so the last string is remembered.
        let mut last: (&[u8], u64) = (&[], 0);
        let mut string = |string: &'a [u8]| {
            if last.0.is_empty() || !std::ptr::eq(last.0, string) {
                last = (string, strings.index(string));
            }
            last.1
        };
        for (attr, &index) in self.info.attrs.iter().zip(&self.indices) {
            if index as usize != table.len() + 1 {
                continue;
            }
            let (tag, numbers): (u8, &[u64]) = match attr {
                DebugAttr::CompileUnit { file } => (debug_tag::COMPILE_UNIT, &[self.index(*file)]),
                DebugAttr::File { name, directory } => (debug_tag::FILE, &[string(name), string(directory)]),
                DebugAttr::LexicalBlock { scope, file, line, column } => (
                    debug_tag::LEXICAL_BLOCK,
                    &[self.index(*scope), self.index(*file), u64::from(*line), u64::from(*column)],
                ),
                DebugAttr::Scoped { position, scope } => (
                    debug_tag::SCOPED,
                    &[self.index(*scope), string(&position.file), position.line.into(), position.column.into()],
                ),
                DebugAttr::Subprogram { file, line, name, linkage_name, unit, scope_line, declaration } => (
                    debug_tag::SUBPROGRAM,
                    &[
                        self.index(*file),
                        u64::from(*line),
                        string(name),
                        string(linkage_name),
                        self.index(*unit),
                        u64::from(*scope_line),
                        if *declaration { subprogram_flag::DECLARATION } else { 0 },
                    ][..if has_flags { 7 } else { 6 }],
                ),
                DebugAttr::CallSite { callee, caller } => {
                    (debug_tag::CALL_SITE, &[self.index(*callee), self.index(*caller)])
                }
                DebugAttr::Unknown | DebugAttr::Position(_) | DebugAttr::Named { .. } | DebugAttr::Fused(_) => continue,
            };
            let entry = table.entry();
            entry.push(tag);
            numbers.iter().for_each(|&number| varint::write(entry, number));
        }
        table
    }
}

/// Computes the index of each attribute in the section, from 1. A named or fused location has the index of the first
/// known location in it. A position without a scope is unknown.
fn indices(info: &DebugInfo) -> Vec<u64> {
    let mut indices: Vec<u64> = Vec::with_capacity(info.attrs.len());
    let mut next = 1;
    for attr in &info.attrs {
        let known = |id: &DebugId| indices.get(id.0 as usize).copied().unwrap_or(0);
        let index = match attr {
            DebugAttr::Unknown | DebugAttr::Position(_) => 0,
            DebugAttr::Named { child, .. } => known(child),
            DebugAttr::Fused(parts) => parts.iter().map(known).find(|&index| index != 0).unwrap_or(0),
            _ => {
                next += 1;
                next - 1
            }
        };
        indices.push(index);
    }
    indices
}
