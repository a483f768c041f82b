//! A statement for which hints are shown, and what a hint is.

use crate::ir::{Op, OpId};
use crate::lower::Lowered;
use crate::range_analysis::KnownValues;
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
    TripCount,
    /// What an operand is for.
    Parameter,
}

/// An item and what is known of it.
pub(super) struct Item<'a> {
    pub(super) base: u32,
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) lowered: &'a Lowered,
    pub(super) known: KnownValues,
}

/// One statement of it.
pub(super) struct Statement<'a> {
    pub(super) item: &'a Item<'a>,
    pub(super) node: Node,
    pub(super) id: OpId,
    pub(super) op: &'a Op,
    pub(super) tooltips: bool,
}

impl<'a> Statement<'a> {
    /// A hint at a place of the item. What there is more to say is put into words only where that is wanted.
    pub(super) fn inlay(&self, at: u32, label: String, kind: InlayKind, tooltip: impl FnOnce() -> String) -> Inlay {
        let tooltip = if self.tooltips { tooltip() } else { String::new() };
        Inlay { at, label, tooltip, kind }
    }

    /// The text of a range of the item.
    pub(super) fn text(&self, range: &Range<u32>) -> &'a str {
        self.item.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// The statement's place.
    pub(super) fn range(&self) -> Range<u32> {
        self.item.tree.range(self.node)
    }

    /// Where the statement's head ends: in front of its first region, or at its end.
    pub(super) fn head_end(&self) -> u32 {
        let region = self.item.tree.child(self.node, NodeKind::Region);
        let tree = self.item.tree;
        region.map_or(self.range().end, |region| {
            let brace = tree.tokens_of(region).start;
            if brace == 0 { tree.range(region).start } else { tree.tokens.end(brace - 1) }
        })
    }

    /// Whether the statement is in generic form, which says everything.
    pub(super) fn is_generic(&self) -> bool {
        let name = self.item.tree.child(self.node, NodeKind::OpName);
        name.is_some_and(|name| self.item.tree.text(name, self.item.text).starts_with('"'))
    }
}
