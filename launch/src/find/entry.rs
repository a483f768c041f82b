//! An entry with its launches.

use crate::directive::Directives;
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
