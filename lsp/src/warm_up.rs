//! A small program is understood while the client still says who it is. What the first document would have waited for is
//! there then: code that is read from disk, tables that are built, threads with memory of their own.

use crate::threads;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};

/// A program with what most programs have.
const PROGRAM: &str = include_str!("warm_up.tile");

/// How many threads a first document takes.
const THREADS: usize = 2;

/// Warms up the threads that will do the work.
pub(crate) fn workers() {
    for _ in 0..THREADS.min(threads::count()) {
        tokio::task::spawn_blocking(|| batch::check(PROGRAM, Options::default(), |_| Keep::Everything));
    }
}

/// Warms up the database, and the thread that writes it.
pub(crate) fn database(db: &mut Database) {
    let file = File::new(db, PROGRAM.into(), Options::default());
    db::diagnostics(db, file);
    file.write(db, "");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wrong_with_the_program() {
        let mut db = Database::default();
        let file = File::new(&db, PROGRAM.into(), Options::default());
        assert_eq!(db::diagnostics(&db, file), []);
        database(&mut db);
    }
}
