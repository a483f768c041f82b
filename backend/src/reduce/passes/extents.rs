//! Reduction of extents. A number is replaced in all shapes at once, so that matching shapes still match.

use super::units::{Cuts, Units};
use crate::reduce::draft::Draft;
use crate::reduce::seen::Seen;
use std::collections::BTreeSet;
use std::ops::Range;
use tile_syntax::Token;

/// Every extent, largest first. Each is replaced by one and by its half, first only in shapes and then everywhere.
pub(super) fn extents(seen: &Seen) -> Box<dyn Units + '_> {
    let numbers = numbers(seen);
    let distinct: BTreeSet<u64> =
        numbers.iter().filter(|found| found.is_extent && found.value > 1).map(|found| found.value).collect();
    let smaller = distinct.into_iter().rev().flat_map(|value| [(value, 1), (value, value / 2)]);
    let all = smaller.flat_map(|(old, new)| [(old, new, true), (old, new, false)]);
    let one = |(old, new, only_extents): (u64, u64, bool)| {
        let mut draft = Draft::default();
        let own = numbers.iter().filter(|found| found.value == old && (found.is_extent || !only_extents));
        own.for_each(|found| draft.replace(found.range.clone(), new.to_string()));
        draft
    };
    Cuts::boxed(seen, all.map(one))
}

/// A number of the text.
struct Number {
    value: u64,
    range: Range<u32>,
    /// Whether it is part of a shape.
    is_extent: bool,
}

fn numbers(seen: &Seen) -> Vec<Number> {
    let outline = (&seen.outline.tree.tokens, 0, seen.text.as_str());
    let items = seen.items.iter().map(|item| (&item.tree.tokens, item.range.start, seen.text_of(item)));
    let mut found = Vec::new();
    for (tokens, base, text) in std::iter::once(outline).chain(items) {
        for index in 0..tokens.len() {
            let is_extent = match tokens.kind(index) {
                Token::Extents => true,
                Token::Integer => false,
                _ => continue,
            };
            let mut at = tokens.start(index) + base;
            // The part after the last `x` can be an element type.
            for part in tokens.text(index, text).split('x') {
                let range = at..at + part.len() as u32;
                at = range.end + 1;
                found.extend(part.parse().ok().map(|value| Number { value, range, is_extent }));
            }
        }
    }
    found
}
