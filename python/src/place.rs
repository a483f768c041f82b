//! Where ops are: in the source that the debug information names, otherwise in the text of the program.

use serde_json::{Value, json};
use tile_analysis::debug_info::{DebugAttr, DebugId, DebugInfo, Position};

/// A position in a file, and the positions of the calls that led to it, the innermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    path: String,
    line: u32,
    column: u32,
    callers: Vec<Place>,
}

impl Place {
    /// A position without calls. Lines and columns count from 1.
    pub(crate) fn new(path: &str, line: u32, column: u32) -> Place {
        Place { path: path.to_string(), line, column, callers: Vec::new() }
    }

    /// The position of a location, if it states one.
    pub(crate) fn of(debug: &DebugInfo, id: DebugId) -> Option<Place> {
        match debug.attrs.get(id.0 as usize)? {
            DebugAttr::Position(position) | DebugAttr::Scoped { position, .. } => Some(Place::at(position)),
            DebugAttr::Named { child, .. } => Place::of(debug, *child),
            DebugAttr::Fused(all) => all.iter().find_map(|&id| Place::of(debug, id)),
            DebugAttr::CallSite { callee, caller } => {
                let mut place = Place::of(debug, *callee)?;
                if let Some(mut caller) = Place::of(debug, *caller) {
                    let outer = std::mem::take(&mut caller.callers);
                    place.callers.push(caller);
                    place.callers.extend(outer);
                }
                Some(place)
            }
            _ => None,
        }
    }

    fn at(position: &Position) -> Place {
        Place::new(&String::from_utf8_lossy(&position.file), position.line, position.column)
    }

    /// The line.
    pub(crate) fn line(&self) -> u32 {
        self.line
    }

    /// Whether it, or a call that led to it, is on a line of a file whose path ends in `path`.
    pub(crate) fn is_on(&self, path: &str, line: u32) -> bool {
        (self.line == line && self.path.ends_with(path)) || self.callers.iter().any(|caller| caller.is_on(path, line))
    }

    /// The position for the package.
    pub(crate) fn json(&self) -> Value {
        let Place { path, line, column, callers } = self;
        json!({
            "path": path,
            "line": line,
            "column": column,
            "callers": callers.iter().map(Place::json).collect::<Vec<_>>(),
        })
    }
}
