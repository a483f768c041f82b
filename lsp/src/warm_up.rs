//! A small program is understood while the client still says who it is. What the first document would have waited for is
//! there then: code that is read from disk, tables that are built, threads with memory of their own.

use crate::threads;
use std::hint::black_box;
use tile_analysis::batch::{self, Keep};
use tile_analysis::context::Options;
use tile_analysis::db::{self, Database, File};

/// A program with what most programs have.
const PROGRAM: &str = include_str!("warm_up.tile");

/// How many threads a first document takes.
const THREADS: usize = 2;

/// How much memory a document of a thousand lines takes on each of these threads, as blocks and bytes a block. A block is
/// small enough for the allocator to keep it when it comes back.
const MEMORY: (usize, usize) = (5, 60 << 10);

/// Warms up the threads that will do the work.
pub(crate) fn workers() {
    for _ in 0..THREADS.min(threads::count()) {
        tokio::task::spawn_blocking(|| {
            batch::check(PROGRAM, Options::default(), |_| Keep::Everything);
            memory();
        });
    }
}

/// Has the allocator of this thread hold memory that the system has given already, page by page.
fn memory() {
    let blocks: Vec<Vec<u8>> = (0..MEMORY.0).map(|_| black_box(vec![1; MEMORY.1])).collect();
    // What is free at the very end of its memory, the allocator would give back: this stays in the way.
    Box::leak(black_box(Box::new(0u64)));
    drop(blocks);
}

/// Warms up the database, and the thread that writes it.
pub(crate) fn database(db: &mut Database) {
    memory();
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
