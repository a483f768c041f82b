//! The incremental database: what is computed once and kept until the text it came from changes.
//!
//! The grain is an item. A file is cut into items ([`contents`]); each item is lowered by a query of its own, which sees of
//! the rest of the file only the [`Context`], and that holds no positions. So an edit inside one entry runs the query
//! of that entry again, and nothing else. The text itself, where its items are, and the outline are inputs, which an edit
//! changes in place.

#![allow(missing_docs)] // the macros make items without documentation; everything written here has its own

mod by_item;
mod contents;
mod findings;

pub use by_item::ByItem;
pub use contents::{Layout, Stamp};
pub use findings::Findings;

use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::ir::Module;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outline::Outline;
use crate::program::Program;
use contents::Contents;
use std::sync::Arc;
use tile_syntax::{Tree, parse_item};

/// The database.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

impl Database {
    /// A database that tells about every query that runs, for tests and measurements.
    pub fn watched(tell: impl Fn(salsa::Event) + Send + Sync + 'static) -> Database {
        Database { storage: salsa::Storage::new(Some(Box::new(tell))) }
    }
}

/// What queries are asked of, for callers that need not know salsa.
pub type Queries = dyn salsa::Database;

/// A file.
#[salsa::input(constructor = with)]
#[derive(Debug)]
pub struct File {
    #[returns(ref)]
    contents: Arc<Contents>,
    /// What its items can see of it. It is set only when it is another.
    #[returns(ref)]
    context: Arc<Context>,
}

/// One item of a file. It does not know where it stands.
#[salsa::input]
#[derive(Debug)]
pub struct Item {
    /// Its text.
    #[returns(ref)]
    pub text: Arc<str>,
}

/// Where the items of a file are. Whoever asks for work that a new edit has made useless stops here, as in a query.
pub fn layout(db: &dyn salsa::Database, file: File) -> &Layout {
    db.unwind_if_revision_cancelled();
    &file.contents(db).layout
}

/// The outline of a file.
pub fn file_outline(db: &dyn salsa::Database, file: File) -> &Outline {
    &file.contents(db).outline
}

/// What the items of a file can see of it.
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

/// Everything there is to tell about a file, in the order of the text.
pub fn diagnostics(db: &dyn salsa::Database, file: File) -> Vec<Diagnostic> {
    Findings::default().of(db, file)
}

/// The program of a file: its globals and entries, with whatever could be understood of them.
pub fn module(db: &dyn salsa::Database, file: File) -> Module {
    Program::of(db, file).module()
}
