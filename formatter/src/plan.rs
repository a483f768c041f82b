//! The plan of a page: which lines a tree makes, and where a line may be broken.
//!
//! A line here is what stands on one line where it fits: a statement, its header up to the brace of its region, the
//! brace that closes a region with what follows it. Everything is decided from the tree, nothing from how the text was
//! laid out before.

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

/// Where a tree stands on the page, and what may be left out there.
#[derive(Clone, Copy)]
pub(crate) struct TreeContext {
    /// How deeply its statements are indented.
    pub(crate) depth: usize,
    /// Whether its statements stand in a module, where they may leave out their prefix.
    pub(crate) in_module: bool,
    /// What becomes of words that say what holds anyway.
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
