//! An entry with its launches.

use crate::directive::{Directives, Launch, name_of};
use std::ops::Range;
use std::sync::Arc;
use tile_analysis::ir::Body;
use tile_analysis::lower::Allowance;
use tile_analysis::source::Spans;

/// An entry and the launches above it.
#[derive(Clone, Debug)]
pub struct EntryLaunches {
    /// The entry.
    pub entry: Arc<Body>,
    /// The offset of its item in the file, in bytes.
    pub start: u32,
    /// The ranges of its parts, in bytes from its start.
    pub spans: Arc<Spans>,
    /// The range of its name in the file, in bytes.
    pub name: Range<u32>,
    /// Its launches, and the errors in its directives.
    pub directives: Directives,
    /// The lints that its comments allow.
    pub allowances: Vec<Allowance>,
}

impl EntryLaunches {
    /// A title for the entry and one of its launches: `@gemm, launch "square", grid (2, 2, 1)`.
    pub fn title(&self, launch: Option<&Launch>) -> String {
        let launches = &self.directives.launches;
        let is_it = |other: &Launch| launch.is_some_and(|launch| other.range == launch.range);
        let Some(index) = launches.iter().position(is_it) else { return format!("@{}", self.entry.name) };
        let name = name_of(launches, index).map_or_else(String::new, |name| format!(" \"{name}\""));
        let [x, y, z] = launches[index].grid;
        format!("@{}, launch{name}, grid ({x}, {y}, {z})", self.entry.name)
    }
}
