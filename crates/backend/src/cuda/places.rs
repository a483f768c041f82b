//! Maps source locations in debug information back to ops.

use super::remarks::SourceLocation;
use std::collections::HashMap;
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo, Position};
use tile_analysis::ir::OpId;

/// The ops and entries of a program, by source location.
pub struct Places {
    ops: HashMap<SourceLocation, Vec<(usize, OpId)>>,
    entries: HashMap<SourceLocation, usize>,
}

/// The maximum number of locations that are visited inside one. Locations can share parts, so the number of paths
/// through them can grow exponentially.
const MAX_PARTS: usize = 64;

impl Places {
    /// Collects the source locations of a program.
    pub fn of(debug: &DebugInfo) -> Places {
        let mut ops: HashMap<SourceLocation, Vec<(usize, OpId)>> = HashMap::new();
        let mut entries = HashMap::new();
        for (entry, locations) in debug.entries.iter().enumerate() {
            for place in locations.entry.iter().flat_map(|&location| all(debug, location)) {
                entries.entry(place).or_insert(entry);
            }
            for (op, location) in (0..).map(OpId).zip(&locations.ops) {
                for place in location.iter().flat_map(|&location| all(debug, location)) {
                    ops.entry(place).or_default().push((entry, op));
                }
            }
        }
        Places { ops, entries }
    }

    /// The number of the entry at a location.
    pub fn entry(&self, place: &SourceLocation) -> Option<usize> {
        self.entries.get(place).copied()
    }

    /// The op at a location, with the number of its entry. If several ops share the location, returns the first one for
    /// which `is_preferred` holds, or else the first.
    pub fn op(&self, place: &SourceLocation, is_preferred: impl Fn(usize, OpId) -> bool) -> Option<(usize, OpId)> {
        let ops = self.ops.get(place)?;
        ops.iter().find(|(entry, op)| is_preferred(*entry, *op)).or(ops.first()).copied()
    }

    /// The ops of an entry on a line of a file.
    pub fn in_line(&self, file: &str, line: u32, entry: usize) -> Vec<OpId> {
        let here = self.ops.iter().filter(|(place, _)| place.file == file && place.line == line);
        here.flat_map(|(_, ops)| ops).filter(|(of, _)| *of == entry).map(|(_, op)| *op).collect()
    }

    /// All locations of ops, with the number of the entry, in no order.
    pub fn ops(&self) -> impl Iterator<Item = (&SourceLocation, usize, OpId)> {
        self.ops.iter().flat_map(|(place, ops)| ops.iter().map(move |&(entry, op)| (place, entry, op)))
    }

    /// The files that contain the ops, sorted.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.ops.keys().map(|place| place.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// All positions in a location. For inlined code, that includes the call sites.
fn all(debug: &DebugInfo, location: DebugId) -> Vec<SourceLocation> {
    let (mut open, mut found) = (vec![location], Vec::new());
    for _ in 0..MAX_PARTS {
        let Some(attr) = open.pop().and_then(|id| debug.attrs.get(id.0 as usize)) else { break };
        match attr {
            DebugAttr::Position(position) | DebugAttr::Scoped { position, .. } => found.push(place(position)),
            DebugAttr::CallSite { callee, caller } => open.extend([*caller, *callee]),
            DebugAttr::Named { child, .. } => open.push(*child),
            DebugAttr::Fused(parts) => open.extend(parts.iter().rev()),
            _ => {}
        }
    }
    found
}

fn place(position: &Position) -> SourceLocation {
    let file = String::from_utf8_lossy(&position.file).into_owned();
    SourceLocation { file, line: position.line, column: position.column }
}
