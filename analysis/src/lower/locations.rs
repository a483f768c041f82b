//! The locations of the ops lowered so far.

use crate::debug_info::{DebugId, FileDebug};
use crate::read::location::BodyStore;
use std::ops::Range;

/// The source locations of the ops of an item, as its text states them.
pub(super) struct Locations<'a> {
    pub(super) store: BodyStore<'a>,
    /// The subprogram of the first op that has one, and the range of that location.
    pub(super) first_scope: Option<(DebugId, Range<u32>)>,
    /// The same for the first op in another subprogram.
    pub(super) other_scope: Option<(DebugId, Range<u32>)>,
}

impl<'a> Locations<'a> {
    pub(super) fn new(file: &'a FileDebug) -> Self {
        Locations { store: BodyStore::new(file), first_scope: None, other_scope: None }
    }
}
