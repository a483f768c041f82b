//! Where ops are: in the source that the debug information names, otherwise in the text of the program.

use serde_json::{Value, json};
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo, Position};

/// The maximum number of parts of a location that are searched. Locations can share parts, so a chain of aliases can
/// expand to exponentially many.
const MAX_PARTS: usize = 1 << 10;

/// A position in a file, and the positions of the calls that led to it, the innermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    position: Position,
    callers: Vec<Position>,
}

/// A part of a location to be searched.
enum Part<'a> {
    Location(DebugId),
    /// Alternatives, of which the first that states a position counts, and the number of positions found before them.
    FirstOf(&'a [DebugId], usize),
}

impl Place {
    /// A position without calls. Lines and columns count from 1.
    pub(crate) fn new(path: &str, line: u32, column: u32) -> Place {
        Place { position: Position { file: path.as_bytes().into(), line, column }, callers: Vec::new() }
    }

    /// The position of a location, if it states one.
    pub(crate) fn of(debug: &DebugInfo, id: DebugId) -> Option<Place> {
        let (mut open, mut found) = (vec![Part::Location(id)], Vec::new());
        for _ in 0..MAX_PARTS {
            let id = match open.pop() {
                Some(Part::Location(id)) => id,
                Some(Part::FirstOf([first, others @ ..], before)) if found.len() == before => {
                    open.extend([Part::FirstOf(others, before), Part::Location(*first)]);
                    continue;
                }
                Some(Part::FirstOf(..)) => continue,
                None => break,
            };
            match debug.attrs.get(id.0 as usize) {
                Some(DebugAttr::Position(position) | DebugAttr::Scoped { position, .. }) => {
                    found.push(position.clone())
                }
                Some(DebugAttr::Named { child, .. }) => open.push(Part::Location(*child)),
                Some(DebugAttr::Fused(all)) => open.push(Part::FirstOf(all, found.len())),
                Some(DebugAttr::CallSite { callee, caller }) => {
                    open.extend([Part::Location(*caller), Part::Location(*callee)]);
                }
                _ => {}
            }
        }
        let mut found = found.into_iter();
        Some(Place { position: found.next()?, callers: found.collect() })
    }

    /// The line.
    pub(crate) fn line(&self) -> u32 {
        self.position.line
    }

    /// Whether it, or a call that led to it, is on a line of a file whose path ends in `path`.
    pub(crate) fn is_on(&self, path: &str, line: u32) -> bool {
        let is_on =
            |position: &Position| position.line == line && String::from_utf8_lossy(&position.file).ends_with(path);
        is_on(&self.position) || self.callers.iter().any(is_on)
    }

    /// The position for the package.
    pub(crate) fn json(&self) -> Value {
        let callers = self.callers.iter().map(|caller| json(caller, Vec::new()));
        json(&self.position, callers.collect())
    }
}

fn json(position: &Position, callers: Vec<Value>) -> Value {
    let Position { file, line, column } = position;
    json!({ "path": String::from_utf8_lossy(file), "line": line, "column": column, "callers": callers })
}
