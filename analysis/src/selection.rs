//! Which diagnostics of a file a caller wants: those that are shown, those at the cursor, or all. The others are neither
//! copied nor put into words, because a compiler's dump can have thousands.

use crate::diagnostic::{Fix, Located, Page, Severity};
use std::ops::Range;

/// The part of a diagnostic that decides whether a caller wants it.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// Its page.
    pub page: &'static Page,
    /// Its severity, before that of the project applies.
    pub severity: Severity,
    /// Its range in the file.
    pub range: Range<u32>,
    /// Its fixes. Their ranges are relative to the part of the file that the diagnostic is in.
    pub fixes: &'a [Fix],
}

impl<'a> Candidate<'a> {
    /// The part of a diagnostic.
    pub fn of(found: Located<'a>) -> Candidate<'a> {
        Candidate {
            page: found.diagnostic.page,
            severity: found.diagnostic.severity,
            range: found.range(),
            fixes: &found.diagnostic.fixes,
        }
    }
}

/// Decides which diagnostics of a file are wanted. It is asked about those of each checker in source order.
pub trait Selection {
    /// Whether a diagnostic is wanted.
    fn wants(&mut self, found: &Candidate<'_>) -> bool;

    /// Whether none of `count` diagnostics of the same lint are wanted, of which `first` is the first one. If so, the
    /// selection is not asked about each of them.
    fn passes_over(&mut self, first: &Candidate<'_>, count: usize) -> bool {
        let _ = (first, count);
        false
    }
}

/// Selects all diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Selection for Everything {
    fn wants(&mut self, _: &Candidate<'_>) -> bool {
        true
    }
}

/// The diagnostics for which a function is true.
#[derive(Clone, Copy, Debug)]
pub struct Where<F>(F);

impl<F: FnMut(&Candidate<'_>) -> bool> Where<F> {
    /// Selects the diagnostics for which `wants` is true.
    pub fn new(wants: F) -> Where<F> {
        Where(wants)
    }
}

impl<F: FnMut(&Candidate<'_>) -> bool> Selection for Where<F> {
    fn wants(&mut self, found: &Candidate<'_>) -> bool {
        (self.0)(found)
    }
}

/// The diagnostics that a caller wants.
pub type Wanted<'w> = &'w mut dyn Selection;
