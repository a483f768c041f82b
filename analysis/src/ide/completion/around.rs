//! The enclosing module or regions of a position, and the ops allowed in them.

use crate::db::{self, File};
use crate::lower::ended_by;
use tile_dialect::{AttrKind, Mnemonic, OpRow, Version};
use tile_syntax::{Node, NodeKind, Tree};

/// The construct that encloses a position.
pub(super) enum Around {
    /// Nothing: top level.
    File,
    /// A module.
    Module,
    /// Ops with regions, innermost first. Unknown ops are skipped.
    Body(Vec<Mnemonic>),
}

impl Around {
    pub(super) fn new(db: &dyn salsa::Database, file: File, offset: u32) -> Around {
        let inside = db::layout(db, file).at(db, offset);
        match inside.filter(|(start, _)| *start < offset) {
            Some((start, item)) => {
                let mut found = regions(db::syntax(db, item), offset - start);
                found.reverse();
                Around::Body(found)
            }
            None => match regions(&db::file_outline(db, file).tree, offset).last() {
                Some(_) => Around::Module,
                None => Around::File,
            },
        }
    }

    /// Reports whether an op is allowed here. `has_results` asks for an op with results, as after `%a =`.
    pub(super) fn allows(&self, row: &OpRow, has_results: bool, version: Version) -> bool {
        let is_symbol = row.attrs.iter().any(|attr| matches!(attr.kind, AttrKind::SymbolName));
        let produces = row.results.iter().any(|result| result.since <= version);
        match self {
            _ if has_results => produces && !is_symbol,
            Around::File => is_symbol,
            Around::Module => is_symbol && row.op != Mnemonic::Module,
            Around::Body(around) if row.is_terminator() && !around.is_empty() => {
                ended_by(row.op, around.iter().copied(), version).is_some()
            }
            Around::Body(_) => !is_symbol,
        }
    }
}

/// The ops whose regions contain an offset, outermost first.
fn regions(tree: &Tree, offset: u32) -> Vec<Mnemonic> {
    let contains = |&node: &Node| {
        let range = tree.range(node);
        range.start < offset && offset <= range.end
    };
    let (mut node, mut found) = (Node::ROOT, Vec::new());
    while let Some(inner) = tree.children(node).find(contains) {
        if tree.kind(inner) == NodeKind::Region {
            found.extend(tile_dialect::ops().get(tree.slot(node) as usize).map(|row| row.op));
        }
        node = inner;
    }
    found
}
