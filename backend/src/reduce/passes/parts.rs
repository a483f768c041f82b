//! Parts of statements that need not be there: attributes, hints, optional operands, locations.
//!
//! Which ones these are the table knows, and so does the check that every smaller program has to pass; so every part is
//! tried, with the words around it that may belong to it.

use super::units::{Cuts, Units};
use crate::reduce::draft::Draft;
use crate::reduce::seen::{Item, Seen};
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token};

/// How many tokens in front of a part may go with it: none, the comma of a list, or `token =` and the like.
const IN_FRONT: Range<usize> = 0..3;

/// The parts of all statements.
pub(super) fn parts(seen: &Seen) -> Box<dyn Units + '_> {
    Cuts::boxed(seen, seen.items.iter().flat_map(of_item))
}

fn of_item(item: &Item) -> impl Iterator<Item = Draft> {
    let tree = &item.tree;
    let is_part = |node: &Node| {
        let kind = tree.kind(*node);
        matches!(
            kind,
            NodeKind::Operand
                | NodeKind::Attr
                | NodeKind::Dict
                | NodeKind::DictEntry
                | NodeKind::Location
                | NodeKind::Error
        )
    };
    let ranges = tree.descendants(Node::ROOT).filter(is_part).flat_map(move |node| {
        let tokens = tree.tokens_of(node);
        let with_front = move |count: usize| Some(tokens_range(item, tokens.start.checked_sub(count)?..tokens.end));
        let with_comma = || {
            let has_comma = tree.tokens.kind(tokens.end) == Token::Comma;
            has_comma.then(|| tokens_range(item, tokens.start..tokens.end + 1))
        };
        let own = IN_FRONT.filter_map(with_front).chain(with_comma());
        own.collect::<Vec<_>>()
    });
    ranges.map(|range| {
        let mut draft = Draft::default();
        draft.replace(item.in_file(&range), "");
        draft
    })
}

/// What tokens take in the text.
fn tokens_range(item: &Item, tokens: Range<usize>) -> Range<u32> {
    let all = &item.tree.tokens;
    all.start(tokens.start)..tokens.end.checked_sub(1).map_or(0, |last| all.end(last)).max(all.start(tokens.start))
}
