//! Which diagnostics of a file a caller wants: those that are shown, those at the cursor, or all. The others are
//! neither copied nor put into words, because a compiler's dump can have thousands.

use crate::diagnostic::{Diagnostic, Fix, Page, Severity};
use std::ops::Range;

/// The part of a diagnostic that decides whether a caller wants it, or that of several in a row with the same page.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// Its page.
    pub page: &'static Page,
    /// Its severity, before that of the project applies.
    pub severity: Severity,
    /// Its range in the file. The range of several extends from the start of the first to the end of the last.
    pub range: Range<u32>,
    /// Its fixes. Their ranges are relative to the part of the file that the diagnostic is in.
    pub fixes: &'a [Fix],
    /// If this is several diagnostics, how many. A caller that may want some of them is asked about each. This halves
    /// the cost of an edit in a dump of 100,000 lines, 60,000 of which have an unused result (`tests/budgets`: valid
    /// edit, printed, 100k).
    pub several: Option<usize>,
}

impl<'a> Candidate<'a> {
    /// A diagnostic of the part of a file that begins at `start`.
    pub fn of(found: &'a Diagnostic, start: u32) -> Candidate<'a> {
        let range = found.range.start + start..found.range.end + start;
        Candidate { page: found.page, severity: found.severity, range, fixes: &found.fixes, several: None }
    }
}

/// Decides whether a caller wants a diagnostic, or any of several. It is asked about those of each checker in source
/// order.
pub type Wanted<'w> = &'w mut dyn FnMut(&Candidate<'_>) -> bool;
