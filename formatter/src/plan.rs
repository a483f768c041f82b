//! Plans the layout of a tree: its lines, and where they can be broken.
//!
//! A line is what fits on one line if it is short enough: a statement, its header up to the opening brace of its
//! region, or the closing brace of a region and what follows it. The plan depends only on the tree, not on the original
//! layout.

mod defaults;
mod line;
mod marks;
mod parts;
mod planner;
mod prefix;

pub(crate) use line::{Line, Style};
pub(crate) use marks::{Marks, mark};
pub(crate) use parts::is_known_type;

use crate::options::Defaults;
use crate::taint::Taint;
use planner::Planner;
use tile_syntax::{Node, Tree};

/// Where a tree is on the page, and what can be omitted there.
#[derive(Clone, Copy)]
pub(crate) struct TreeContext {
    /// The indentation level of its statements.
    pub(crate) depth: usize,
    /// Whether its statements are in a module, where they can omit their prefix.
    pub(crate) in_module: bool,
    /// What to do with redundant words.
    pub(crate) defaults: Defaults,
}

/// The lines of a tree.
pub(crate) fn plan(text: &str, tree: &Tree, place: TreeContext) -> (Vec<Line>, Marks) {
    let marks = vec![0; tree.tokens.len() + 1];
    let defaults = place.defaults;
    let mut planner =
        Planner { text, tree, taint: Taint::of(tree), defaults, drops_any: false, lines: Vec::new(), marks };
    for child in tree.children(Node::ROOT) {
        planner.statement(child, place.depth, place.in_module);
    }
    let marks = Marks { of: planner.marks, drop_any: planner.drops_any };
    (planner.lines, marks)
}
