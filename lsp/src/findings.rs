//! The diagnostics of documents, kept from check to check.

use crate::remarks::Remarks;
use crate::written::Written;
use std::sync::Arc;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{Diagnostic, Located, Severity};
use tile_analysis::levels::Levels;
use tile_analysis::quota::{MAX_SHOWN, Quota};
use tile_analysis::selection::{Candidate, Wanted};
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
    /// The diagnostics as they were last sent.
    pub(crate) written: Written,
}

impl Findings {
    /// Whether the document has been checked before.
    pub(crate) fn has_checked(&self) -> bool {
        self.has_checked
    }

    /// The diagnostics of a file that need no run and that are wanted, with the severities of their pages.
    pub(crate) fn of(&mut self, db: &Database, file: File, wanted: Wanted<'_>) -> Vec<Located> {
        let mut found = self.program.of(db, file, wanted);
        found.extend(self.launches.of(db, file, wanted));
        found.extend(self.hints.of(db, file, wanted));
        self.has_checked = true;
        found
    }

    /// The diagnostics of a file that need no run and that are shown, with the severities of a project.
    pub(crate) fn shown(&mut self, db: &Database, file: File, levels: &Levels) -> Vec<Located> {
        let mut quota = Quota::new(levels, MAX_SHOWN);
        let mut found = self.of(db, file, &mut |found| quota.admits(found));
        levels.apply_to_located(&mut found);
        found.extend(omitted(&quota));
        found
    }

    /// Stores the remarks of NVIDIA's compiler about a file, in place of earlier ones.
    pub(crate) fn set_remarks(&mut self, db: &Database, file: File, found: &[Diagnostic]) {
        self.remarks.set(db, file, found);
    }

    /// Returns the remarks that are still valid.
    pub(crate) fn remarks(&mut self, db: &Database, file: File) -> Vec<Located> {
        self.remarks.of(db, file)
    }
}

/// The diagnostics about those that are not shown.
pub(crate) fn omitted(quota: &Quota<'_>) -> impl Iterator<Item = Located> {
    quota.omitted().map(|omitted| Located::new(Arc::new(omitted.diagnostic()), 0))
}

/// The errors of a file that need no run.
pub(crate) fn errors(db: &Database, file: File) -> Vec<Diagnostic> {
    let mut is_error = |found: &Candidate<'_>| found.severity == Severity::Error;
    let mut found = db::Findings::default().of(db, file, &mut is_error);
    found.extend(find::Findings::default().of(db, file, &mut is_error));
    Located::all_in_file(&found)
}
