//! Reduction of extents. A number is replaced in all shapes at once, so that matching shapes still match.

use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::ParsedProgram;
use std::collections::BTreeSet;
use std::ops::Range;
use tile_syntax::Token;

/// Every extent, largest first. Each is replaced by one and by its half, first only in shapes and then everywhere.
pub(super) fn extents(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let numbers = numbers(program);
    let distinct: BTreeSet<u64> =
        numbers.iter().filter(|found| found.is_extent && found.value > 1).map(|found| found.value).collect();
    let smaller = distinct.into_iter().rev().flat_map(|value| [(value, 1), (value, value / 2)]);
    let all = smaller.flat_map(|(old, new)| [(old, new, true), (old, new, false)]);
    let one = |(old, new, only_extents): (u64, u64, bool)| {
        let mut edits = EditSet::default();
        let own = numbers.iter().filter(|found| found.value == old && (found.is_extent || !only_extents));
        own.for_each(|found| edits.replace(found.range.clone(), new.to_string()));
        edits
    };
    Cuts::boxed(program, all.map(one))
}

/// A number of the text.
struct Number {
    value: u64,
    range: Range<u32>,
    /// Whether it is part of a shape.
    is_extent: bool,
}

fn numbers(program: &ParsedProgram) -> Vec<Number> {
    let outline = (&program.outline.tree.tokens, 0, program.text.as_str());
    let items = program.items.iter().map(|item| (&item.tree.tokens, item.range.start, program.text_of(item)));
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
