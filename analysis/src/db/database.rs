//! The salsa database.

#![allow(missing_docs)] // salsa's macros generate undocumented items

/// The database.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

impl Database {
    /// A database that passes every event, such as the execution of a query, to `callback`. For tests and measurements.
    pub fn watched(callback: impl Fn(salsa::Event) + Send + Sync + 'static) -> Database {
        Database { storage: salsa::Storage::new(Some(Box::new(callback))) }
    }
}

/// The interface to queries, for callers that do not use salsa directly.
pub type Queries = dyn salsa::Database;
