//! Hints about accesses that cost more than they need to, or that disturb each other, and about unused results.
//!
//! Each lint reports one kind of access. What holds in every launch of an entry need not hold for other callers, so a
//! fix that states it is never applied without being asked for.
//!
//! There can be as many unused results as ops. They are found by [`unused_ops`](tile_analysis::unused::unused_ops), and
//! only those that a caller wants become diagnostics.

mod entry;

mod l0015_unused_result;
mod p0201_unstated_alignment;
mod p0202_unstated_bounds;
mod p0203_uncoalesced_access;
mod p0204_repeated_load;
mod p0205_overlapping_stores;

pub use l0015_unused_result::unused_result;

use crate::access::accesses_memory;
use crate::names::SourceNames;
use entry::Entry;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::range_analysis::NamedLaunch;
use tile_dialect::Version;

/// The hints about the accesses of an entry, in source order. Their ranges are relative to the start of its text. They
/// propose nothing that is newer than `version`. An access is only counted in a launch if that takes at most `limit`
/// steps, or less in an entry with many accesses.
pub fn of_entry(names: SourceNames<'_>, launches: &[NamedLaunch], version: Version, limit: u64) -> Vec<Diagnostic> {
    if !names.body.ops.iter().any(|op| accesses_memory(op.op.row())) {
        return Vec::new();
    }
    let accesses = crate::accesses(names.body);
    let entry = Entry::new(names, &accesses, launches, limit);
    let mut found = p0204_repeated_load::repeated(&entry);
    for access in &accesses {
        found.extend(p0201_unstated_alignment::unstated(&entry, access));
        found.extend(p0202_unstated_bounds::unstated(&entry, access, version));
        found.extend(p0203_uncoalesced_access::uncoalesced(&entry, access));
        found.extend(p0205_overlapping_stores::overlapping(&entry, access));
    }
    Diagnostic::sort(&mut found);
    // A tensor view is reported once, not for each of its accesses.
    found.dedup();
    found
}
