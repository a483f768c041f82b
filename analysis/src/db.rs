//! The incremental database: results are computed once and kept until their input changes.
//!
//! The unit of incrementality is an item. A file is split into items (`contents`). A separate query lowers each item;
//! it depends on the rest of the file only through the [`Context`], which contains no positions. Therefore an edit
//! inside an entry reruns only the query of that entry. The text itself, the positions of its items and the outline
//! are inputs, which an edit changes in place.

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
pub use queries::{clear, context, file_outline, layout, lowered, syntax};
