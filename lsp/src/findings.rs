//! What is wrong with documents, kept from check to check.

use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Diagnostic;
use tile_launch::find;

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
