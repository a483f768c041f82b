//! The incremental database: what is computed once and kept until the text it came from changes.
//!
//! The grain is an item. A file is cut into items; each item is parsed and lowered by queries of its own, which see of
//! the rest of the file only the [`Context`], and that holds no positions. So an edit inside one entry runs the queries
//! of that entry again, and nothing else but the cutting of the file and its outline.

#![allow(missing_docs)] // the macros make items without documentation; everything written here has its own

use crate::context::{Context, Options};
use crate::diagnostic::Diagnostic;
use crate::ir::Module;
use crate::lower::{KnownTypes, Lowered, lower_item};
use crate::outline::{self, Outline};
use crate::program::Program;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_syntax::{Piece, PieceKind, Tree, parse_item, split};

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
#[salsa::input]
#[derive(Debug)]
pub struct File {
    /// Its text.
    #[returns(ref)]
    pub text: Arc<str>,
    /// How it is checked.
    #[returns(copy)]
    pub options: Options,
}

/// One item of a file. It does not know where it stands.
#[salsa::tracked]
#[derive(Debug)]
pub struct Item<'db> {
    /// What tells it from the other items across edits: its first words, and for a repetition its number.
    #[returns(ref)]
    pub key: Box<str>,
    /// Its text.
    #[tracked]
    #[returns(ref)]
    pub text: Arc<str>,
}

/// A file cut into pieces.
#[derive(Clone, PartialEq, Eq, Debug, salsa::SalsaValue)]
pub struct Layout<'db> {
    /// The pieces, items and what stands between them.
    pub pieces: Vec<Piece>,
    /// Where each item starts, in bytes, and the item.
    pub items: Vec<(u32, Item<'db>)>,
}

/// Cuts a file into items.
#[salsa::tracked(returns(ref))]
pub fn layout(db: &dyn salsa::Database, file: File) -> Layout<'_> {
    let text = file.text(db);
    let mut seen = FxHashMap::<&str, u32>::default();
    let pieces = split(text);
    let items = pieces.iter().filter(|piece| piece.kind == PieceKind::Item);
    let items = items.map(|piece| {
        let item = &text[piece.range.clone()];
        let count = seen.entry(key(item)).or_default();
        let key = if *count == 0 { key(item).into() } else { format!("{}#{count}", key(item)).into() };
        *count += 1;
        (piece.range.start as u32, Item::new(db, key, Arc::from(item)))
    });
    let items = items.collect();
    Layout { pieces, items }
}

/// The words up to the parameters.
fn key(item: &str) -> &str {
    &item[..item.find(['(', '\n']).unwrap_or(item.len()).min(item.len())]
}

/// The outline of a file.
#[salsa::tracked(returns(ref))]
pub fn file_outline(db: &dyn salsa::Database, file: File) -> Outline {
    outline::outline(file.text(db), &layout(db, file).pieces, file.options(db))
}

/// What the items of a file can see of it.
#[salsa::tracked(returns(ref))]
pub fn context(db: &dyn salsa::Database, file: File) -> Context {
    file_outline(db, file).context.clone()
}

/// The syntax tree of an item.
#[salsa::tracked(returns(ref))]
pub fn syntax<'db>(db: &'db dyn salsa::Database, item: Item<'db>) -> Tree {
    parse_item(item.text(db))
}

/// The meaning of an item.
#[salsa::tracked(returns(ref))]
pub fn lowered<'db>(db: &'db dyn salsa::Database, item: Item<'db>, file: File) -> Lowered {
    lower_item(item.text(db), syntax(db, item), context(db, file), &mut KnownTypes::default())
}

/// Everything there is to tell about a file, in the order of the text.
pub fn diagnostics(db: &dyn salsa::Database, file: File) -> Vec<Diagnostic> {
    let mut all = file_outline(db, file).diagnostics.clone();
    for &(start, item) in &layout(db, file).items {
        let found = &lowered(db, item, file).diagnostics;
        all.extend(found.iter().map(|diagnostic| diagnostic.clone().shifted(start)));
    }
    all.extend(duplicate_symbols(db, file));
    all.sort_by_key(|diagnostic| diagnostic.range.start);
    all
}

/// Entries and globals that share a name.
fn duplicate_symbols(db: &dyn salsa::Database, file: File) -> Vec<Diagnostic> {
    let items = layout(db, file).items.iter().map(|&(start, item)| {
        let lowered = lowered(db, item, file);
        let name = &lowered.spans.name;
        (&*lowered.body.name, name.start + start..name.end + start)
    });
    file_outline(db, file).duplicates(items)
}

/// The program of a file: its globals and entries, with whatever could be understood of them.
pub fn module(db: &dyn salsa::Database, file: File) -> Module {
    Program::of(db, file).module()
}
