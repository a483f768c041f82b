//! The incremental database: results are cached until the text they depend on changes.
//!
//! The granularity is an item. A file is cut into items (`contents`); each item is lowered by a separate query, which
//! only sees the [`Context`] of the rest of the file, and that contains no positions. So an edit inside one entry only
//! runs the query of that entry again. The text itself, the positions of its items, and the outline are inputs, which
//! an edit changes in place.

mod by_item;
mod contents;
mod database;
mod file;
mod findings;
mod item;
mod queries;

pub use by_item::ByItem;
pub use contents::{Layout, Stamp};
pub use database::{Database, Queries};
pub use file::File;
pub use findings::{Findings, diagnostics};
pub use item::Item;
pub use queries::{context, file_outline, layout, lowered, syntax};
