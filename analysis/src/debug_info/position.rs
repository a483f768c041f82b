//! The debug information of a file's module, using positions in the text where no location is stated.

use super::{DebugAttr, DebugId, DebugInfo, DebugTable, Locations, Lookup, Position};
use crate::db::{File, Queries};
use crate::ir::Body;
use crate::lines::Lines;
use crate::lower::Lowered;
use crate::program::Program;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The debug information of the module that [`Program::module`] returns. `path` is the name of the file.
pub fn debug_info(db: &Queries, file: File, path: &str) -> DebugInfo {
    debug_info_of(&Program::of(db, file), path)
}

/// The debug information of a program's module. `path` is the name of its file.
///
/// An entry without a stated scope gets a subprogram with its own name. Each of its ops then has a position: the one
/// stated by its location, or its position in the text. An entry with a scope keeps its stated locations.
pub fn debug_info_of(program: &Program, path: &str) -> DebugInfo {
    let base = &program.outline.context.debug.table;
    // Most ops get their own position; an entry gets one and a subprogram. The file and the unit are shared.
    let places: usize = program.entries.iter().map(|(_, lowered)| lowered.spans.op_names.len() + 2).sum();
    let mut attrs = Vec::with_capacity(base.attrs().len() + places + 2);
    attrs.extend_from_slice(base.attrs());
    let mut builder = Builder {
        file: base,
        attrs,
        ids: FxHashMap::default(),
        text: program.text,
        lines: Lines::new(program.text),
        near: 0,
        path: path.as_bytes().into(),
        unit: None,
    };
    let entries = program.entries.iter().map(|&(start, lowered)| builder.entry(start, lowered)).collect();
    DebugInfo { attrs: builder.attrs, entries }
}

struct Builder<'a> {
    /// The table of the file, whose attributes come first.
    file: &'a DebugTable,
    attrs: Vec<DebugAttr>,
    /// The ids of attributes that can occur again.
    ids: FxHashMap<DebugAttr, DebugId>,
    text: &'a str,
    lines: Lines,
    /// The line of the last position. The next position is usually on the same or the next line.
    near: u32,
    path: Arc<[u8]>,
    /// The file and the compile unit of the text.
    unit: Option<(DebugId, DebugId)>,
}

impl Builder<'_> {
    fn entry(&mut self, start: u32, lowered: &Lowered) -> Locations {
        let stated = self.adopt(lowered);
        let scope = stated.entry.and_then(|location| self.attrs[..].scope(location));
        match stated.entry {
            _ if scope.is_some() => stated,
            // An explicitly unknown location stays unknown.
            Some(DebugId::UNKNOWN) => stated,
            _ => self.placed(start, lowered, &stated),
        }
    }

    /// Adds an attribute without deduplication, because positions in the text are distinct.
    fn push(&mut self, attr: DebugAttr) -> DebugId {
        self.attrs.push(attr);
        DebugId(self.attrs.len() as u32 - 1)
    }

    fn intern(&mut self, attr: DebugAttr) -> DebugId {
        let known = self.file.find(&attr).or_else(|| self.ids.get(&attr).copied());
        known.unwrap_or_else(|| {
            let id = self.push(attr.clone());
            self.ids.insert(attr, id);
            id
        })
    }

    /// The stated locations, with the body's own attributes moved into the common table.
    fn adopt(&mut self, lowered: &Lowered) -> Locations {
        let mut own: Vec<DebugId> = Vec::with_capacity(lowered.debug.attrs.len());
        for attr in &lowered.debug.attrs {
            let attr = attr.with_ids(|id| self.rebased(id, &own));
            own.push(self.intern(attr));
        }
        let stated = &lowered.debug.locations;
        let rebased = |id: Option<DebugId>| id.map(|id| self.rebased(id, &own));
        Locations { entry: rebased(stated.entry), ops: stated.ops.iter().map(|&id| rebased(id)).collect() }
    }

    fn rebased(&self, id: DebugId, own: &[DebugId]) -> DebugId {
        id.0.checked_sub(self.file.attrs().len() as u32).map_or(id, |index| own[index as usize])
    }

    /// The locations of an entry without a scope, inside a subprogram that is created for it.
    fn placed(&mut self, start: u32, lowered: &Lowered, stated: &Locations) -> Locations {
        let entry = self.position_of(stated.entry, start + lowered.spans.name.start);
        let scope = self.subprogram(&lowered.body, &entry);
        let names = &lowered.spans.op_names;
        let mut ops = Vec::with_capacity(names.len());
        for (index, name) in names.iter().enumerate() {
            let location = stated.ops.get(index).copied().flatten();
            ops.push(Some(match location {
                Some(DebugId::UNKNOWN) => DebugId::UNKNOWN,
                _ => {
                    let position = self.position_of(location, start + name.start);
                    self.push(DebugAttr::Scoped { position, scope })
                }
            }));
        }
        Locations { entry: Some(self.push(DebugAttr::Scoped { position: entry, scope })), ops }
    }

    fn subprogram(&mut self, body: &Body, position: &Position) -> DebugId {
        let (own_file, unit) = self.unit();
        let file = if position.file == self.path { own_file } else { self.file(&position.file) };
        let name: Box<[u8]> = body.name.as_bytes().into();
        let (line, scope_line) = (position.line, position.line);
        self.intern(DebugAttr::Subprogram {
            file,
            line,
            linkage_name: name.clone(),
            name,
            unit,
            scope_line,
            declaration: false,
        })
    }

    fn unit(&mut self) -> (DebugId, DebugId) {
        if let Some(unit) = self.unit {
            return unit;
        }
        let path = self.path.clone();
        let file = self.file(&path);
        let unit = (file, self.intern(DebugAttr::CompileUnit { file }));
        *self.unit.insert(unit)
    }

    fn file(&mut self, path: &[u8]) -> DebugId {
        let (directory, name) = match path.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => (&path[..slash.max(1)], &path[slash + 1..]),
            None => (&path[..0], path),
        };
        self.intern(DebugAttr::File { name: name.into(), directory: directory.into() })
    }

    /// The position stated by a location, or else the position in the text.
    fn position_of(&mut self, stated: Option<DebugId>, offset: u32) -> Position {
        let position = |attr: &DebugAttr| match attr {
            DebugAttr::Position(position) => Some(position.clone()),
            _ => None,
        };
        stated.and_then(|location| self.attrs[..].find_in(location, &position)).unwrap_or_else(|| {
            let place = self.lines.place_near(self.near, offset, self.text);
            self.near = place.row - 1;
            Position { file: self.path.clone(), line: place.row, column: place.column }
        })
    }
}

impl DebugAttr {
    /// The same attribute with other ids for the attributes that it refers to.
    pub(super) fn with_ids(&self, mut new: impl FnMut(DebugId) -> DebugId) -> DebugAttr {
        let mut attr = self.clone();
        match &mut attr {
            DebugAttr::Unknown | DebugAttr::Position(_) | DebugAttr::File { .. } => {}
            DebugAttr::Scoped { scope: id, .. }
            | DebugAttr::Named { child: id, .. }
            | DebugAttr::CompileUnit { file: id } => *id = new(*id),
            DebugAttr::CallSite { callee: a, caller: b }
            | DebugAttr::Subprogram { file: a, unit: b, .. }
            | DebugAttr::LexicalBlock { scope: a, file: b, .. } => (*a, *b) = (new(*a), new(*b)),
            DebugAttr::Fused(parts) => parts.iter_mut().for_each(|id| *id = new(*id)),
        }
        attr
    }
}
