//! Inlay hints, and the statements that they belong to.

use crate::ir::{Op, OpId};
use crate::lower::Lowered;
use crate::range_analysis::KnownValues;
use std::ops::Range;
use tile_syntax::{Node, NodeKind, Tree};

/// An inlay hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inlay {
    /// The position, as a byte offset in the file.
    pub at: u32,
    /// The text of the hint.
    pub label: String,
    /// The tooltip, in Markdown; can be empty.
    pub tooltip: String,
    /// The kind of hint.
    pub kind: InlayKind,
}

/// The kinds of hints. Each can be disabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlayKind {
    /// A type that is not written in the source.
    Type,
    /// The number of tiles of a view.
    IndexSpace,
    /// The trip count of a loop.
    TripCount,
    /// The name of an operand.
    Parameter,
}

/// An item and the results of its analysis.
pub(super) struct Item<'a> {
    pub(super) base: u32,
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) lowered: &'a Lowered,
    pub(super) known: KnownValues,
}

/// A statement of an [`Item`].
pub(super) struct Statement<'a> {
    pub(super) item: &'a Item<'a>,
    pub(super) node: Node,
    pub(super) id: OpId,
    pub(super) op: &'a Op,
    pub(super) tooltips: bool,
}

impl<'a> Statement<'a> {
    /// Creates a hint at an offset in the item. The tooltip is computed only if tooltips are requested.
    pub(super) fn inlay(&self, at: u32, label: String, kind: InlayKind, tooltip: impl FnOnce() -> String) -> Inlay {
        let tooltip = if self.tooltips { tooltip() } else { String::new() };
        Inlay { at, label, tooltip, kind }
    }

    /// The text of a range of the item.
    pub(super) fn text(&self, range: &Range<u32>) -> &'a str {
        self.item.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// The range of the statement in the item.
    pub(super) fn range(&self) -> Range<u32> {
        self.item.tree.range(self.node)
    }

    /// The end of the statement's head: before its first region, or the end of the statement.
    pub(super) fn head_end(&self) -> u32 {
        let region = self.item.tree.child(self.node, NodeKind::Region);
        let tree = self.item.tree;
        region.map_or(self.range().end, |region| {
            let brace = tree.tokens_of(region).start;
            if brace == 0 { tree.range(region).start } else { tree.tokens.end(brace - 1) }
        })
    }

    /// Reports whether the statement is in generic form, which needs no hints.
    pub(super) fn is_generic(&self) -> bool {
        let name = self.item.tree.child(self.node, NodeKind::OpName);
        name.is_some_and(|name| self.item.tree.text(name, self.item.text).starts_with('"'))
    }
}
