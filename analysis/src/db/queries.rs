//! What can be asked of the database.

#![allow(missing_docs)] // the macros make items without documentation; everything written here has its own

use super::contents::Layout;
use super::file::File;
use super::item::Item;
use crate::context::Context;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outline::Outline;
use std::sync::Arc;
use tile_syntax::{Tree, parse_item};

/// Where the items of a file are. Whoever asks for work that a new edit has made useless stops here, as in a query.
pub fn layout(db: &dyn salsa::Database, file: File) -> &Layout {
    db.unwind_if_revision_cancelled();
    &file.contents(db).layout
}

/// The outline of a file.
pub fn file_outline(db: &dyn salsa::Database, file: File) -> &Outline {
    &file.contents(db).outline
}

/// The parts of a file that its items can see.
pub fn context(db: &dyn salsa::Database, file: File) -> &Arc<Context> {
    file.context(db)
}

/// The syntax tree of an item. Parsing is quick, so only the trees that were asked for last are kept; and lowering, which
/// needs each tree once, parses for itself.
#[salsa::tracked(returns(ref), lru = 64)]
pub fn syntax(db: &dyn salsa::Database, item: Item) -> Tree {
    parse_item(item.text(db))
}

/// The meaning of an item.
#[salsa::tracked(returns(ref))]
pub fn lowered(db: &dyn salsa::Database, item: Item, file: File) -> Lowered {
    let (text, context) = (item.text(db), file.context(db));
    KnownTypes::with(context, |known| {
        let mut lowered = lower_item(text, &parse_item(text), context, known);
        lowered.shrink();
        lowered
    })
}
