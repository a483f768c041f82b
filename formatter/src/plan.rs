//! The layout plan: the lines of a tree, and where they can be broken.
//!
//! A line of the plan is written on one line if it fits. It is a statement, a header up to the brace that opens its
//! region, or a closing brace with the text after it. The plan depends only on the tree, never on the original layout.

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

/// The context of a tree: its indentation, and whether prefixes and defaults can be dropped in it.
#[derive(Clone, Copy)]
pub(crate) struct TreeContext {
    /// The indentation level of its statements.
    pub(crate) depth: usize,
    /// Whether its statements are in a module, where they need no dialect prefix.
    pub(crate) in_module: bool,
    /// Whether default attributes are dropped.
    pub(crate) defaults: Defaults,
}

/// Returns the lines of a tree and the marks of its tokens.
pub(crate) fn plan(text: &str, tree: &Tree, context: TreeContext) -> (Vec<Line>, Marks) {
    let marks = vec![0; tree.tokens.len() + 1];
    let defaults = context.defaults;
    let mut planner =
        Planner { text, tree, taint: Taint::of(tree), defaults, drops_any: false, lines: Vec::new(), marks };
    for child in tree.children(Node::ROOT) {
        planner.statement(child, context.depth, context.in_module);
    }
    let marks = Marks { of: planner.marks, drop_any: planner.drops_any };
    (planner.lines, marks)
}
