//! Removal of comments, except launch directives.

use super::units::{Cuts, Units};
use crate::reduce::seen::Seen;
use tile_launch::directive::SIGN;

/// The comments in entries and between them.
pub(super) fn comments(seen: &Seen) -> Box<dyn Units + '_> {
    let of_items = seen.items.iter().flat_map(|item| {
        let comments = item.tree.tokens.comments().iter();
        comments.map(|&(start, end)| item.in_file(&(start..end)))
    });
    let outside = seen.outline.tree.tokens.comments().iter().map(|&(start, end)| start..end);
    let is_plain = |range: &std::ops::Range<u32>| !seen.text[range.start as usize..].starts_with(SIGN);
    Cuts::of_ranges(seen, of_items.chain(outside).filter(is_plain))
}
