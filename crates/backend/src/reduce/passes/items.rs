//! Removal of entries, globals and aliases.

use super::units::{Cuts, Units};
use crate::reduce::program::ParsedProgram;
use tile_analysis::lines::comment_lines_above;
use tile_syntax::NodeKind;

/// The entries, each with the comments above it.
pub(super) fn entries(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let one = |start: u32, end: u32| comment_lines_above(&program.text, start as usize).start as u32..end;
    Cuts::of_ranges(program, program.items.iter().map(|item| one(item.range.start, item.range.end)))
}

/// Globals, aliases and errors outside of entries.
pub(super) fn outline(program: &ParsedProgram) -> Box<dyn Units + '_> {
    let tree = &program.outline.tree;
    let is_kind = |node| matches!(tree.kind(node), NodeKind::Op | NodeKind::Alias | NodeKind::Error);
    let is_container =
        |node| tree.descendants(node).any(|inner| matches!(tree.kind(inner), NodeKind::Region | NodeKind::Item));
    let nodes = tree.descendants(tile_syntax::Node::ROOT).filter(move |&node| is_kind(node) && !is_container(node));
    Cuts::of_ranges(program, nodes.map(|node| tree.range(node)))
}
