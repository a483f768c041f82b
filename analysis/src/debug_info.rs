//! Debug information: the source locations of ops. It is stored next to the IR, not in it.
//!
//! The locations that a text states with `loc(…)` are resolved into tables of [`DebugAttr`]: one for the aliases of the
//! file, and one for each body. [`debug_info`] merges them for a backend, and gives ops without a location their
//! position in the text.

mod position;

pub use position::{debug_info, debug_info_of};

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The id of a debug attribute: an index into a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DebugId(pub u32);

impl DebugId {
    /// The unknown location, which is the first attribute of every table.
    pub const UNKNOWN: DebugId = DebugId(0);
}

/// A location, or an attribute that locations refer to. Attributes refer only to earlier ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DebugAttr {
    /// An unknown location.
    Unknown,
    /// A position in a file, without a scope. Bytecode cannot store it.
    Position(Position),
    /// A position in a scope.
    Scoped {
        /// The position.
        position: Position,
        /// The scope: a subprogram or a lexical block.
        scope: DebugId,
    },
    /// A location in an inlined function.
    CallSite {
        /// The location in the function.
        callee: DebugId,
        /// The location of the call.
        caller: DebugId,
    },
    /// A location with a name. Bytecode cannot store the name.
    Named {
        /// The name.
        name: Box<[u8]>,
        /// The location.
        child: DebugId,
    },
    /// Several locations. Bytecode cannot store them.
    Fused(Box<[DebugId]>),
    /// A source file.
    File {
        /// Its name.
        name: Box<[u8]>,
        /// The folder that contains it.
        directory: Box<[u8]>,
    },
    /// A compilation unit.
    CompileUnit {
        /// Its main file.
        file: DebugId,
    },
    /// A function of the source.
    Subprogram {
        /// The file that defines it.
        file: DebugId,
        /// The line of its name.
        line: u32,
        /// Its name in the source.
        name: Box<[u8]>,
        /// Its linkage name: that of the entry.
        linkage_name: Box<[u8]>,
        /// Its compile unit.
        unit: DebugId,
        /// The line where its body starts.
        scope_line: u32,
        /// Whether this is only a declaration (13.5).
        declaration: bool,
    },
    /// A block inside a function of the source.
    LexicalBlock {
        /// The enclosing scope.
        scope: DebugId,
        /// The file that contains it.
        file: DebugId,
        /// The line where it starts.
        line: u32,
        /// The column where it starts.
        column: u32,
    },
}

/// A position in a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The file, as named in the location. Most positions share one.
    pub file: Arc<[u8]>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

/// The debug information of a module, parallel to [`crate::ir::Module`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugInfo {
    /// The attributes, starting with [`DebugAttr::Unknown`].
    pub attrs: Vec<DebugAttr>,
    /// The locations of each entry.
    pub entries: Vec<Locations>,
}

/// The locations of one entry.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Locations {
    /// The location of the entry itself; `None` if the text does not state one.
    pub entry: Option<DebugId>,
    /// The location of each op of the body. Ops past the end, and ops with `None`, have no stated location.
    pub ops: Vec<Option<DebugId>>,
}

/// Distinct attributes and their ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugTable {
    attrs: Vec<DebugAttr>,
    ids: FxHashMap<DebugAttr, DebugId>,
}

/// The debug attributes that the aliases of a file define: `#loc1 = loc(…)`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileDebug {
    /// The attributes.
    pub table: DebugTable,
    /// The ids of the aliases, by name without `#`.
    pub aliases: FxHashMap<Box<str>, DebugId>,
}

/// The debug information of a body: its locations, and the attributes that are not in the table of the file. Their ids
/// follow those of that table.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BodyDebug {
    /// The attributes.
    pub attrs: Vec<DebugAttr>,
    /// The locations.
    pub locations: Locations,
}

impl Default for DebugTable {
    fn default() -> DebugTable {
        let mut table = DebugTable { attrs: Vec::new(), ids: FxHashMap::default() };
        table.intern(DebugAttr::Unknown);
        table
    }
}

impl DebugTable {
    /// The id of an attribute, which is added if it is new.
    pub fn intern(&mut self, attr: DebugAttr) -> DebugId {
        if let Some(&known) = self.ids.get(&attr) {
            return known;
        }
        let id = DebugId(self.attrs.len() as u32);
        self.attrs.push(attr.clone());
        self.ids.insert(attr, id);
        id
    }

    /// The id of an attribute, if the table contains it.
    pub fn find(&self, attr: &DebugAttr) -> Option<DebugId> {
        self.ids.get(attr).copied()
    }

    /// Every attribute, in the order of ids.
    pub fn attrs(&self) -> &[DebugAttr] {
        &self.attrs
    }
}

/// Lookup of attributes by id, in any kind of table.
pub trait Lookup {
    /// The attribute with an id.
    fn attr(&self, id: DebugId) -> &DebugAttr;

    /// The scope of a location. An inlined location has the scope of the call, a fused one the first scope found.
    fn scope(&self, location: DebugId) -> Option<DebugId> {
        self.find_in(location, &|attr| match attr {
            DebugAttr::Scoped { scope, .. } => Some(*scope),
            _ => None,
        })
    }

    /// The first part of a location for which `select` returns a result. For an inlined location, only the call is
    /// searched.
    fn find_in<T>(&self, location: DebugId, select: &dyn Fn(&DebugAttr) -> Option<T>) -> Option<T> {
        let mut open = vec![location];
        // Locations can share parts, so a chain of aliases can expand to exponentially many parts.
        for _ in 0..MAX_LOOKUP {
            let attr = self.attr(open.pop()?);
            if let Some(found) = select(attr) {
                return Some(found);
            }
            match attr {
                DebugAttr::CallSite { caller, .. } => open.push(*caller),
                DebugAttr::Named { child, .. } => open.push(*child),
                DebugAttr::Fused(parts) => open.extend(parts.iter().rev()),
                _ => {}
            }
        }
        None
    }

    /// The subprogram that a scope belongs to.
    fn subprogram(&self, mut scope: DebugId) -> Option<DebugId> {
        loop {
            match self.attr(scope) {
                DebugAttr::Subprogram { .. } => return Some(scope),
                DebugAttr::LexicalBlock { scope: around, .. } => scope = *around,
                _ => return None,
            }
        }
    }
}

/// The maximum number of parts of a location that are searched.
const MAX_LOOKUP: usize = 1 << 10;

impl Lookup for DebugTable {
    fn attr(&self, id: DebugId) -> &DebugAttr {
        &self.attrs[id.0 as usize]
    }
}

impl Lookup for [DebugAttr] {
    fn attr(&self, id: DebugId) -> &DebugAttr {
        &self[id.0 as usize]
    }
}

impl DebugInfo {
    /// The location of an entry.
    pub fn entry(&self, entry: usize) -> DebugId {
        self.entries.get(entry).and_then(|locations| locations.entry).unwrap_or(DebugId::UNKNOWN)
    }

    /// The locations of one entry, with only the attributes that they need. Changes to other entries do not affect the
    /// result, unless they move this entry.
    pub fn alone(&self, entry: usize) -> DebugInfo {
        let mut own = self.entries.get(entry).cloned().unwrap_or_default();
        let mut needed = vec![false; self.attrs.len()];
        let stated = own.ops.iter().chain([&own.entry]).flatten();
        stated.chain([&DebugId::UNKNOWN]).for_each(|id| needed[id.0 as usize] = true);
        // Attributes refer only to those before them.
        for index in (0..needed.len()).rev() {
            if needed[index] {
                self.attrs[index].with_ids(|id| {
                    needed[id.0 as usize] = true;
                    id
                });
            }
        }
        let mut numbers = vec![DebugId::UNKNOWN; self.attrs.len()];
        let mut attrs = Vec::new();
        for (index, attr) in self.attrs.iter().enumerate().filter(|(index, _)| needed[*index]) {
            numbers[index] = DebugId(attrs.len() as u32);
            attrs.push(attr.with_ids(|id| numbers[id.0 as usize]));
        }
        own.ops.iter_mut().chain([&mut own.entry]).flatten().for_each(|id| *id = numbers[id.0 as usize]);
        DebugInfo { attrs, entries: vec![own] }
    }

    /// The location of an op of an entry.
    pub fn op(&self, entry: usize, op: usize) -> DebugId {
        let stated = self.entries.get(entry).and_then(|locations| locations.ops.get(op).copied().flatten());
        stated.unwrap_or(DebugId::UNKNOWN)
    }
}

impl Locations {
    /// Sets the location of an op.
    pub fn set(&mut self, op: usize, location: DebugId) {
        if self.ops.len() <= op {
            self.ops.resize(op + 1, None);
        }
        self.ops[op] = Some(location);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_alone_keeps_only_needed_attributes() {
        let name = |name: &str| name.as_bytes().into();
        let subprogram = |text: &str| DebugAttr::Subprogram {
            file: DebugId(1),
            line: 1,
            name: name(text),
            linkage_name: name(text),
            unit: DebugId(2),
            scope_line: 1,
            declaration: false,
        };
        let scoped = |line, scope| {
            let position = Position { file: Arc::from(*b"a.tile"), line, column: 1 };
            DebugAttr::Scoped { position, scope: DebugId(scope) }
        };
        let head = || {
            let file = DebugAttr::File { name: name("a.tile"), directory: name("") };
            vec![DebugAttr::Unknown, file, DebugAttr::CompileUnit { file: DebugId(1) }]
        };
        let call = |callee, caller| DebugAttr::CallSite { callee: DebugId(callee), caller: DebugId(caller) };
        let mut attrs = head();
        attrs.extend([subprogram("one"), scoped(1, 3), subprogram("two"), scoped(2, 5), scoped(3, 5), call(6, 7)]);
        let locations = |entry, op| Locations { entry: Some(DebugId(entry)), ops: vec![None, Some(DebugId(op))] };
        let all = DebugInfo { attrs, entries: vec![locations(4, 4), locations(6, 8)] };
        let mut first = head();
        first.extend([subprogram("one"), scoped(1, 3)]);
        assert_eq!(all.alone(0), DebugInfo { attrs: first, entries: vec![locations(4, 4)] });
        let mut second = head();
        second.extend([subprogram("two"), scoped(2, 3), scoped(3, 3), call(4, 5)]);
        assert_eq!(all.alone(1), DebugInfo { attrs: second, entries: vec![locations(4, 6)] });
        assert_eq!(all.alone(2), DebugInfo { attrs: vec![DebugAttr::Unknown], entries: vec![Locations::default()] });
    }
}
