//! The incremental database: what is computed once and kept until the text it came from changes.
//!
//! The grain is an item. A file is cut into items (`contents`); each item is lowered by a query of its own, which sees of
//! the rest of the file only the [`Context`], and that holds no positions. So an edit inside one entry runs the query
//! of that entry again, and nothing else. The text itself, where its items are, and the outline are inputs, which an edit
//! changes in place.

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
