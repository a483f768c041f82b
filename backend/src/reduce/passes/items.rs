//! Removal of entries, globals and aliases.

use super::units::{Cuts, Units};
use crate::reduce::seen::Seen;
use tile_analysis::lines::comment_lines_above;
use tile_syntax::NodeKind;

/// The entries, each with the comments above it.
pub(super) fn entries(seen: &Seen) -> Box<dyn Units + '_> {
    let one = |start: u32, end: u32| comment_lines_above(&seen.text, start as usize).start as u32..end;
    Cuts::of_ranges(seen, seen.items.iter().map(|item| one(item.range.start, item.range.end)))
}

/// Globals, aliases and errors outside of entries.
pub(super) fn outline(seen: &Seen) -> Box<dyn Units + '_> {
    let tree = &seen.outline.tree;
    let is_kind = |node| matches!(tree.kind(node), NodeKind::Op | NodeKind::Alias | NodeKind::Error);
    let is_container =
        |node| tree.descendants(node).any(|inner| matches!(tree.kind(inner), NodeKind::Region | NodeKind::Item));
    let nodes = tree.descendants(tile_syntax::Node::ROOT).filter(move |&node| is_kind(node) && !is_container(node));
    Cuts::of_ranges(seen, nodes.map(|node| tree.range(node)))
}
