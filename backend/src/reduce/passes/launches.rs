//! Removal of launches: all directives from one `launch` to the next.

use super::units::{Cuts, Units};
use crate::reduce::draft::Draft;
use crate::reduce::seen::Seen;
use tile_analysis::lines::comment_lines_above;

/// The launches of all entries.
pub(super) fn launches(seen: &Seen) -> Box<dyn Units + '_> {
    let of_items = seen.items.iter().flat_map(|item| {
        let block = comment_lines_above(&seen.text, item.range.start as usize);
        tile_launch::parse(&seen.text, block).launches
    });
    let line_start = |at: usize| seen.text[..at].rfind('\n').map_or(0, |found| found + 1);
    let one = |launch: tile_launch::Launch| {
        let mut draft = Draft::default();
        draft.remove(&seen.text, line_start(launch.range.start) as u32..launch.range.end as u32);
        draft
    };
    Cuts::boxed(seen, of_items.map(one))
}
