//! Properties of syntax trees. The fuzz targets include this file.
#![allow(unreachable_pub, reason = "the fuzz targets use it from another crate")]

use std::ops::Range;
use tile_syntax::{Node, Tokens, Tree};

/// Checks that tokens and comments are in order with only whitespace between them.
pub fn assert_lossless(text: &str, tokens: &Tokens) {
    let words = (0..tokens.len()).map(|index| (tokens.start(index), tokens.end(index)));
    let mut parts: Vec<(u32, u32)> = words.chain(tokens.comments().iter().copied()).collect();
    parts.sort_unstable();
    let end = text.len() as u32;
    let mut at = 0;
    for (start, end) in parts.into_iter().chain([(end, end)]) {
        let gap = text.get(at as usize..start as usize);
        let is_blank = gap.is_some_and(|gap| gap.bytes().all(|byte| b" \t\n\r\x0b\x0c".contains(&byte)));
        assert!(is_blank, "{gap:?} at {at}..{start} is not part of any token");
        at = end;
    }
}

/// Checks that nodes and errors lie within the text, and nodes within their parents, in order.
pub fn assert_in_text(text: &str, tree: &Tree) {
    for error in &tree.errors {
        assert_range(text, &error.range);
    }
    for node in tree.descendants(Node::ROOT) {
        let around = tree.tokens_of(node);
        assert!(around.start <= around.end && around.end <= tree.tokens.len(), "{node:?} contains tokens {around:?}");
        let mut at = around.start;
        for child in tree.children(node) {
            let inside = tree.tokens_of(child);
            assert!(
                at <= inside.start && inside.end <= around.end,
                "{child:?} at {inside:?} in {node:?} at {around:?}"
            );
            at = inside.end;
        }
    }
}

/// Checks that a range lies within the text, on character boundaries.
#[track_caller]
fn assert_range(text: &str, range: &Range<u32>) {
    assert!(text.get(range.start as usize..range.end as usize).is_some(), "{range:?} of {} bytes", text.len());
}
