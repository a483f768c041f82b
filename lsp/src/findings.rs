//! What is wrong with documents, kept from check to check.

use crate::threads;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Diagnostic;
use tile_launch::find;

/// A text of this many bytes is worth several threads when it is new.
const LARGE: usize = 16 << 10;

/// What is known of a document from its earlier checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    has_looked: bool,
    program: db::Findings,
    launches: find::Findings,
}

impl Findings {
    /// Everything there is to tell about a file before anything is run; and whether it is looked at for the first time.
    pub(crate) fn look(&mut self, db: &Database, file: File) -> (Vec<Diagnostic>, bool) {
        let is_new = !self.has_looked;
        if is_new {
            prepare(db, file);
        }
        (self.of(db, file), is_new)
    }

    /// Everything there is to tell about a file before anything is run.
    fn of(&mut self, db: &Database, file: File) -> Vec<Diagnostic> {
        let mut found = self.program.of(db, file);
        found.extend(self.launches.of(db, file));
        self.has_looked = true;
        found
    }
}

/// Everything there is to tell about a file before anything is run.
pub(crate) fn all(db: &Database, file: File) -> Vec<Diagnostic> {
    Findings::default().of(db, file)
}

/// Has the items of a large file understood on several threads. Each takes the next item that nobody has taken. Who needs
/// one that another thread is at waits for it; so nobody waits for a thread that has not begun.
fn prepare(db: &Database, file: File) {
    if file.text(db).len() < LARGE {
        return;
    }
    let next = Arc::new(AtomicUsize::new(0));
    for _ in 1..threads::count() {
        let (db, next) = (db.clone(), next.clone());
        // What goes wrong there, cancellation among it, goes wrong here too, or again.
        tokio::task::spawn_blocking(move || {
            let _ = std::panic::catch_unwind(AssertUnwindSafe(|| understand(&db, file, &next)));
        });
    }
    understand(db, file, &next);
}

/// Has items of a file understood until none is left to take.
fn understand(db: &Database, file: File, next: &AtomicUsize) {
    let items = &db::layout(db, file).items;
    while let Some(&(_, item)) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
        db::lowered(db, item, file);
    }
}
