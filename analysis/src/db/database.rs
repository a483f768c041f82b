//! The salsa database.

#![allow(missing_docs)] // the macros make items without documentation; everything written here has its own

/// The database.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

impl Database {
    /// Creates a database that reports every executed query, for tests and measurements.
    pub fn watched(tell: impl Fn(salsa::Event) + Send + Sync + 'static) -> Database {
        Database { storage: salsa::Storage::new(Some(Box::new(tell))) }
    }
}

/// What queries are asked of, for callers that need not know salsa.
pub type Queries = dyn salsa::Database;
