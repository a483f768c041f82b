//! Removal of optional parts of statements: attributes, hints, operands, locations.
//!
//! Every part is tried, with the tokens next to it that may belong to it. The check of each smaller program rejects the
//! removal of parts that are required.

use super::units::{Cuts, Units};
use crate::reduce::edits::EditSet;
use crate::reduce::program::{Item, ParsedProgram};
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Token};

/// The number of tokens before a part that are removed with it: none, the comma of a list, or a prefix such as
/// `token =`.
const IN_FRONT: Range<usize> = 0..3;

/// The parts of all statements.
pub(super) fn parts(program: &ParsedProgram) -> Box<dyn Units + '_> {
    Cuts::boxed(program, program.items.iter().flat_map(of_item))
}

fn of_item(item: &Item) -> impl Iterator<Item = EditSet> {
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
        let mut edits = EditSet::default();
        edits.replace(item.in_file(&range), "");
        edits
    })
}

/// The range of tokens in the text.
fn tokens_range(item: &Item, tokens: Range<usize>) -> Range<u32> {
    let all = &item.tree.tokens;
    all.start(tokens.start)..tokens.end.checked_sub(1).map_or(0, |last| all.end(last)).max(all.start(tokens.start))
}
