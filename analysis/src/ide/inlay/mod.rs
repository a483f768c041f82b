//! What an editor shows inside the text that the text does not say: one file a kind.

mod index_space;
mod parameter;
mod rounds;
mod value_type;

use super::hover::facts::known_of;
use crate::db::{self, File};
use crate::ir::{Op, OpId};
use crate::known::KnownValues;
use crate::lower::Lowered;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Tree};

/// Something to show at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inlay {
    /// Where, in bytes of the file.
    pub at: u32,
    /// What.
    pub label: String,
    /// More about it, in Markdown; may be empty.
    pub tooltip: String,
    /// What kind of hint it is.
    pub kind: InlayKind,
}

/// The kinds of hints. Each can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlayKind {
    /// The type of a value whose type is not written.
    Type,
    /// How many tiles a view has.
    IndexSpace,
    /// How often a loop runs.
    Rounds,
    /// What an operand is for.
    Parameter,
}

/// Which kinds are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// [`InlayKind::Type`]
    pub types: bool,
    /// [`InlayKind::IndexSpace`]
    pub index_spaces: bool,
    /// [`InlayKind::Rounds`]
    pub rounds: bool,
    /// [`InlayKind::Parameter`]
    pub parameters: bool,
    /// What there is more to say about each, which somebody may ask for later.
    pub tooltips: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { types: true, index_spaces: true, rounds: true, parameters: true, tooltips: true }
    }
}

/// The hints for a range of a file, in the order of the text.
pub fn inlays(db: &dyn salsa::Database, file: File, range: &Range<u32>, wanted: Wanted) -> Vec<Inlay> {
    let mut found = Vec::new();
    for &(base, item) in &db::layout(db, file).items {
        let text = item.text(db);
        if base <= range.end && range.start <= base + text.len() as u32 {
            let lowered = db::lowered(db, item, file);
            let visible = range.start.saturating_sub(base)..range.end.saturating_sub(base);
            let item = Item { base, text, tree: db::syntax(db, item), lowered, known: known_of(text, lowered) };
            item.inlays(&visible, wanted, &mut found);
        }
    }
    found.sort_by_key(|inlay| inlay.at);
    found
}

/// An item and what is known of it.
struct Item<'a> {
    base: u32,
    text: &'a str,
    tree: &'a Tree,
    lowered: &'a Lowered,
    known: KnownValues,
}

/// One statement of it.
struct Statement<'a> {
    item: &'a Item<'a>,
    node: Node,
    id: OpId,
    op: &'a Op,
    tooltips: bool,
}

impl Item<'_> {
    fn inlays(&self, visible: &Range<u32>, wanted: Wanted, found: &mut Vec<Inlay>) {
        let names = self.lowered.spans.op_names.iter().enumerate();
        let ids: FxHashMap<u32, OpId> = names.map(|(index, name)| (name.start, OpId(index as u32))).collect();
        let nodes = self.tree.descendants(Node::ROOT).filter(|&node| self.tree.kind(node) == NodeKind::Op);
        for node in nodes {
            let range = self.tree.range(node);
            if range.end < visible.start || visible.end < range.start {
                continue;
            }
            let name = self.tree.child(node, NodeKind::OpName).map(|name| self.tree.range(name).start);
            let Some(&id) = name.and_then(|name| ids.get(&name)) else { continue };
            let op = self.lowered.body.op(id);
            let statement = Statement { item: self, node, id, op, tooltips: wanted.tooltips };
            let first = found.len();
            if wanted.types {
                value_type::inlays(&statement, found);
            }
            if wanted.index_spaces {
                index_space::inlays(&statement, found);
            }
            if wanted.rounds {
                rounds::inlays(&statement, found);
            }
            if wanted.parameters {
                parameter::inlays(&statement, found);
            }
            for inlay in &mut found[first..] {
                inlay.at += self.base;
            }
        }
    }
}

impl<'a> Statement<'a> {
    /// A hint at a place of the item. What there is more to say is put into words only where that is wanted.
    fn inlay(&self, at: u32, label: String, kind: InlayKind, tooltip: impl FnOnce() -> String) -> Inlay {
        let tooltip = if self.tooltips { tooltip() } else { String::new() };
        Inlay { at, label, tooltip, kind }
    }

    /// The text of a range of the item.
    fn text(&self, range: &Range<u32>) -> &'a str {
        self.item.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// The statement's place.
    fn range(&self) -> Range<u32> {
        self.item.tree.range(self.node)
    }

    /// Where the statement's head ends: in front of its first region, or at its end.
    fn head_end(&self) -> u32 {
        let region = self.item.tree.child(self.node, NodeKind::Region);
        let tree = self.item.tree;
        region.map_or(self.range().end, |region| {
            let brace = tree.tokens_of(region).start;
            if brace == 0 { tree.range(region).start } else { tree.tokens.end(brace - 1) }
        })
    }

    /// Whether the statement is in generic form, which says everything.
    fn is_generic(&self) -> bool {
        let name = self.item.tree.child(self.node, NodeKind::OpName);
        name.is_some_and(|name| self.item.tree.text(name, self.item.text).starts_with('"'))
    }
}

#[cfg(test)]
mod tests;
