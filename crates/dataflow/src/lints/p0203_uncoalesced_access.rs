//! P0203: uncoalesced access.

use super::entry::Entry;
use crate::access::{Access, Direction, memory_bits};
use crate::contiguity::Contiguity;
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::diagnostics::accesses::UNCOALESCED_ACCESS;

/// The bits of a sector, the unit of transfers between memory and the L2 cache.
const SECTOR: i64 = 32 * 8;

/// The number of elements from which on an access is reported: one for each thread of a warp.
const MIN_ELEMENTS: i64 = 32;

/// Reports an access whose runs of adjacent elements are shorter than a sector.
pub(super) fn uncoalesced(entry: &Entry<'_>, access: &Access) -> Option<Diagnostic> {
    let found = access.contiguity(entry.names.body).filter(Contiguity::is_exact)?;
    // Along a dimension without a stride, all elements are the same.
    let extents = access.tile.iter().zip(found.strides.iter().flatten());
    let extents = extents.filter(|(extent, stride)| **extent > 1 && !stride.is_zero());
    let (elements, is_known) = extents
        .fold((1, true), |(count, known), (extent, stride)| (count * extent, known && stride.as_number().is_some()));
    let run = found.run * i64::from(memory_bits(access.element));
    // Where strides are parameters, one of them can be 1.
    if run >= SECTOR || elements < MIN_ELEMENTS || found.run == 1 && !is_known {
        return None;
    }
    let verb = if access.direction == Direction::Write { "stored" } else { "loaded" };
    let adjacent = match found.run {
        1 => "no two elements are adjacent in memory".to_string(),
        count => format!("only {count} elements at a time ({} bytes) are adjacent in memory", run / 8),
    };
    let message = format!("this access is uncoalesced: {adjacent}");
    let found = Diagnostic::new(&UNCOALESCED_ACCESS, entry.name(access.op), message);
    Some(found.note(format!("memory is {verb} in sectors of 32 bytes")))
}
