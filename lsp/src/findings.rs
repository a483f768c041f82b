//! The diagnostics of documents, kept from check to check.

use crate::remarks::Remarks;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Diagnostic;
use tile_backend::hints;
use tile_launch::find;

/// The results of a document's earlier checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    has_checked: bool,
    program: db::Findings,
    launches: find::Findings,
    hints: hints::Findings,
    remarks: Remarks,
}

impl Findings {
    /// Returns all diagnostics of a file that need no run, and whether this is its first check.
    pub(crate) fn check(&mut self, db: &Database, file: File) -> (Vec<Diagnostic>, bool) {
        let is_new = !self.has_checked;
        (self.of(db, file), is_new)
    }

    /// Stores the remarks of NVIDIA's compiler about a file, in place of earlier ones.
    pub(crate) fn set_remarks(&mut self, db: &Database, file: File, found: &[Diagnostic]) {
        self.remarks.set(db, file, found);
    }

    /// Returns the remarks that are still valid.
    pub(crate) fn remarks(&mut self, db: &Database, file: File) -> Vec<Diagnostic> {
        self.remarks.of(db, file)
    }

    /// Returns all diagnostics of a file that need no run.
    fn of(&mut self, db: &Database, file: File) -> Vec<Diagnostic> {
        let mut found = self.program.of(db, file);
        found.extend(self.launches.of(db, file));
        found.extend(self.hints.of(db, file));
        self.has_checked = true;
        found
    }
}

/// Returns all diagnostics of a file that need no run.
pub(crate) fn all(db: &Database, file: File) -> Vec<Diagnostic> {
    Findings::default().of(db, file)
}
