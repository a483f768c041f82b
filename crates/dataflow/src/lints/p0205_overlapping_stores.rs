//! P0205: overlapping stores.

use super::entry::{Entry, is_weak};
use crate::access::{Access, Direction};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses::OVERLAPPING_STORES;

/// Reports a store to elements that other tile blocks store to as well, in the first launch in which that happens.
pub(super) fn overlapping(entry: &Entry<'_>, access: &Access) -> Option<Diagnostic> {
    // An atomic op before the store can order it, as a lock does.
    let is_ordered = !is_weak(entry.names.body, access.op) || entry.first_update.is_some_and(|first| first < access.op);
    if access.direction != Direction::Write || is_ordered {
        return None;
    }
    let mut all = entry.volumes(access).filter_map(|(launch, volume)| Some((launch, volume?)));
    let (launch, volume) = all.find(|(_, volume)| volume.shared > 0 && !volume.executions.is_upper_bound)?;
    let elements = if volume.shared == 1 { "element".to_string() } else { format!("{} elements", volume.shared) };
    let memory = entry.names.memory(access.base.as_ref());
    let message = format!("several tile blocks store to the same {elements} of `{memory}`");
    let found = Diagnostic::new(&OVERLAPPING_STORES, entry.name(access.op), message);
    Some(found.note(format!("in {}", launch.name)))
}
