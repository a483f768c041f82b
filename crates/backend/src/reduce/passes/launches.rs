//! Removal of launches: all directives from one `launch` to the next.

use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::ParsedProgram;
use tile_analysis::lines::comment_lines_above;

/// The launches of all entries.
pub(super) fn launches(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let of_items = program.items.iter().flat_map(|item| {
        let block = comment_lines_above(&program.text, item.range.start as usize);
        tile_launch::parse(&program.text, block).launches
    });
    let line_start = |at: usize| program.text[..at].rfind('\n').map_or(0, |found| found + 1);
    let one = |launch: tile_launch::Launch| {
        let mut edits = EditSet::default();
        edits.remove(&program.text, line_start(launch.range.start) as u32..launch.range.end as u32);
        edits
    };
    Cuts::boxed(program, of_items.map(one))
}
