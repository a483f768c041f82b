//! Inlay hints: one file per kind.

mod index_space;
mod parameter;
mod statement;
mod trip_count;
mod value_type;

pub use statement::{Inlay, InlayKind};

use super::hover::facts::known_of;
use crate::db::{self, File};
use crate::ir::OpId;
use rustc_hash::FxHashMap;
use statement::{Item, Statement};
use std::ops::Range;
use tile_syntax::{Node, NodeKind};

/// The kinds of hints to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlayOptions {
    /// [`InlayKind::Type`]
    pub types: bool,
    /// [`InlayKind::IndexSpace`]
    pub index_spaces: bool,
    /// [`InlayKind::TripCount`]
    pub trip_counts: bool,
    /// [`InlayKind::Parameter`]
    pub parameters: bool,
    /// Whether to compute tooltips, which editors can also resolve later.
    pub tooltips: bool,
}

impl Default for InlayOptions {
    fn default() -> InlayOptions {
        InlayOptions { types: true, index_spaces: true, trip_counts: true, parameters: true, tooltips: true }
    }
}

/// The hints for a range of a file, in source order.
pub fn inlays(db: &dyn salsa::Database, file: File, range: &Range<u32>, options: InlayOptions) -> Vec<Inlay> {
    let mut found = Vec::new();
    for &(base, item) in &db::layout(db, file).items {
        let text = item.text(db);
        if base <= range.end && range.start <= base + text.len() as u32 {
            let lowered = db::lowered(db, item, file);
            let visible = range.start.saturating_sub(base)..range.end.saturating_sub(base);
            let item = Item { base, text, tree: db::syntax(db, item), lowered, known: known_of(text, lowered) };
            item.inlays(&visible, options, &mut found);
        }
    }
    found.sort_by_key(|inlay| inlay.at);
    found
}

impl Item<'_> {
    fn inlays(&self, visible: &Range<u32>, options: InlayOptions, found: &mut Vec<Inlay>) {
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
            let statement = Statement { item: self, node, id, op, tooltips: options.tooltips };
            let first = found.len();
            if options.types {
                value_type::inlays(&statement, found);
            }
            if options.index_spaces {
                index_space::inlays(&statement, found);
            }
            if options.trip_counts {
                trip_count::inlays(&statement, found);
            }
            if options.parameters {
                parameter::inlays(&statement, found);
            }
            for inlay in &mut found[first..] {
                inlay.at += self.base;
            }
        }
    }
}

#[cfg(test)]
mod tests;
