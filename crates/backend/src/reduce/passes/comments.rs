//! Removal of comments, except launch directives.

use super::units::{Cuts, Units};
use crate::reduce::program::ParsedProgram;
use tile_launch::directive::SIGN;

/// The comments in entries and between them.
pub(super) fn comments(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let of_items = program.items.iter().flat_map(|item| {
        let comments = item.tree.tokens.comments().iter();
        comments.map(|&(start, end)| item.in_file(&(start..end)))
    });
    let outside = program.outline.tree.tokens.comments().iter().map(|&(start, end)| start..end);
    let is_plain = |range: &std::ops::Range<u32>| !program.text[range.start as usize..].starts_with(SIGN);
    Cuts::of_ranges(program, of_items.chain(outside).filter(is_plain))
}
