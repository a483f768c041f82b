//! The queries of the database.

#![allow(missing_docs)] // salsa's macros generate undocumented items

use super::contents::Layout;
use super::database::Database;
use super::file::File;
use super::item::Item;
use crate::context::Context;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outline::Outline;
use std::sync::Arc;
use tile_syntax::{Tree, parse_item};

/// The positions of the items of a file. Like a query, unwinds if a new edit has cancelled the caller's work.
pub fn layout(db: &dyn salsa::Database, file: File) -> &Layout {
    db.unwind_if_revision_cancelled();
    &file.contents(db).layout
}

/// The outline of a file.
pub fn file_outline(db: &dyn salsa::Database, file: File) -> &Outline {
    &file.contents(db).outline
}

/// The context of the items of a file.
pub fn context(db: &dyn salsa::Database, file: File) -> &Arc<Context> {
    file.context(db)
}

/// The syntax tree of an item. Parsing is fast, so only the most recently requested trees are kept. Lowering, which
/// needs each tree only once, parses separately.
#[salsa::tracked(returns(ref), lru = 64)]
pub fn syntax(db: &dyn salsa::Database, item: Item) -> Tree {
    parse_item(item.text(db))
}

/// The lowered form of an item.
#[salsa::tracked(returns(ref))]
pub fn lowered(db: &dyn salsa::Database, item: Item, file: File) -> Lowered {
    let (text, context) = (item.text(db), file.context(db));
    KnownTypes::with(context, |known| {
        let mut lowered = lower_item(text, &parse_item(text), context, known);
        lowered.shrink();
        lowered
    })
}

/// Empties a file and drops what was computed about it, so that it can hold another text: the database cannot delete
/// it.
pub fn clear(db: &mut Database, file: File) {
    for item in file.empty(db) {
        // The database keeps a result until there is a newer one.
        lowered(db, item, file);
    }
}
