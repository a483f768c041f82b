//! The open documents.

use crate::engine::Replaced;
use crate::findings::{self, Findings};
use crate::project::Project;
use crate::requests::semantic_tokens::painted::Painted;
use crate::run_results::RunResults;
use crate::text::{Encoding, Text, Touched};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::{Diagnostic, Located};
use tile_analysis::quota::{MAX_SHOWN, Quota};
use tile_analysis::selection::{Candidate, Wanted};
use tokio::sync::Notify;
use tower_lsp::ls_types::{Range, TextDocumentContentChangeEvent, TextDocumentItem, Uri};

/// The open documents by URI.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: Mutex<HashMap<Arc<str>, Document>>,
    edits: AtomicU64,
    /// Notified when a document has changed.
    changed: Notify,
}

/// The largest text that is checked, in bytes. Larger files are generated, not written by hand.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// One open document.
#[derive(Debug)]
pub(crate) struct Document {
    /// Its current text and name.
    pub(crate) now: Snapshot,
    /// Diagnostics of the last check that are published, as JSON separated by commas: only remarks if the client pulls
    /// the others.
    pub(crate) found: Arc<Vec<u8>>,
    /// How long that check took.
    pub(crate) check_time: Duration,
    /// The results of its runs.
    pub(crate) run_results: RunResults,
    /// Whether the last published diagnostics were not empty.
    pub(crate) reported: bool,
    /// The last answer to a request for semantic tokens.
    pub(crate) painted: Option<Painted>,
}

/// A document at the time of a request.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// Its key in the engine.
    pub(crate) key: Arc<str>,
    /// Its name for the client.
    pub(crate) uri: Uri,
    /// Its text.
    pub(crate) text: Text,
    /// The client's version number of this text.
    pub(crate) version: i32,
    /// The configuration of its project.
    pub(crate) project: Arc<Project>,
    /// Results of earlier checks, kept as long as the document is open.
    pub(crate) findings: Arc<Mutex<Findings>>,
    /// Number of this text, unique in the session even if the document is closed and opened again.
    pub(crate) edit: u64,
    /// The number of the text that the document was opened with.
    pub(crate) opening: u64,
    /// Whether the file was deleted, and the text has not changed since.
    pub(crate) is_deleted: bool,
}

impl Snapshot {
    /// Returns the diagnostics to show that need neither a run nor NVIDIA's compiler, and whether this is the
    /// document's first check. A deleted file has none: an editor can keep it open for minutes without showing it.
    pub(crate) fn checked(&self, db: &Database, file: File) -> (Vec<Located>, bool) {
        if self.is_deleted {
            return (Vec::new(), false);
        }
        let mut findings = self.findings();
        let is_new = !findings.has_checked();
        (findings.shown(db, file, &self.project.levels), is_new)
    }

    /// Results of earlier checks. A cancelled check leaves them unchanged.
    pub(crate) fn findings(&self) -> MutexGuard<'_, Findings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the remarks of the last compilation that are still valid, as far as they are shown.
    pub(crate) fn remarks(&self, db: &Database, file: File) -> Vec<Located> {
        if self.is_deleted {
            return Vec::new();
        }
        let mut quota = Quota::new(&self.project.levels, MAX_SHOWN);
        let mut found = self.findings().remarks(db, file);
        found.retain(|remark| quota.admits(&Candidate::of(&remark.diagnostic, remark.start)));
        self.project.levels.apply_to_located(&mut found);
        found.extend(findings::omitted(&quota));
        found
    }

    /// Returns the diagnostics to show that need no run, and whether this is the document's first check.
    pub(crate) fn shown(&self, db: &Database, file: File) -> (Vec<Located>, bool) {
        let (mut found, is_new) = self.checked(db, file);
        found.extend(self.remarks(db, file));
        (found, is_new)
    }

    /// Returns the diagnostics that need no run and that are wanted, whether they are shown or not.
    pub(crate) fn found(&self, db: &Database, file: File, wanted: Wanted<'_>) -> Vec<Diagnostic> {
        if self.is_deleted {
            return Vec::new();
        }
        let mut findings = self.findings();
        let mut found = findings.of(db, file, wanted);
        let remarks = findings.remarks(db, file).into_iter();
        found.extend(remarks.filter(|remark| wanted(&Candidate::of(&remark.diagnostic, remark.start))));
        self.project.levels.apply_to_located(&mut found);
        Located::all_in_file(&found)
    }

    /// A snapshot of a document that is not open.
    pub(crate) fn closed(uri: Uri, text: Text) -> Snapshot {
        Snapshot {
            key: uri.as_str().into(),
            uri,
            text,
            version: 0,
            project: Arc::default(),
            findings: Arc::default(),
            edit: 0,
            opening: 0,
            is_deleted: false,
        }
    }

    /// The range from an offset to the end of its line.
    pub(crate) fn rest_of_line(&self, offset: u32) -> Range {
        let start = self.text.position(offset);
        Range { start, end: self.text.line_end(start.line as usize) }
    }

    /// Whether the text is too large to be checked.
    pub(crate) fn is_too_large(&self) -> bool {
        self.text.rope.len_bytes() > MAX_BYTES
    }
}

impl Documents {
    /// Opens a document, or replaces its text.
    pub(crate) fn open(&self, item: TextDocumentItem, encoding: Encoding, project: Arc<Project>) -> Snapshot {
        let key: Arc<str> = item.uri.as_str().into();
        let edit = self.next_edit();
        let text = Text::new(&item.text, encoding);
        let now = Snapshot {
            key: key.clone(),
            uri: item.uri,
            text,
            version: item.version,
            project,
            findings: Arc::default(),
            edit,
            opening: edit,
            is_deleted: false,
        };
        let document = Document {
            now: now.clone(),
            found: Arc::default(),
            check_time: Duration::ZERO,
            run_results: RunResults::default(),
            reported: false,
            painted: None,
        };
        self.lock().insert(key, document);
        self.changed.notify_waiters();
        now
    }

    /// Returns a number that is unique in this session.
    pub(crate) fn next_edit(&self) -> u64 {
        self.edits.fetch_add(1, Ordering::Relaxed)
    }

    /// Applies changes in order. Returns the document after them, and the bytes that each one replaced with its text.
    pub(crate) fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<(Snapshot, Vec<Replaced>)> {
        let edit = self.next_edit();
        let changed = self.with(uri.as_str(), |document| {
            let apply = |change: TextDocumentContentChangeEvent| {
                let touched: Touched = document.now.text.apply(&change);
                document.run_results.shift(&touched, &document.now.text);
                (touched.replaced, change.text)
            };
            let replaced = changes.into_iter().map(apply).collect();
            (document.now.version, document.now.edit, document.now.is_deleted) = (version, edit, false);
            (document.now.clone(), replaced)
        });
        self.changed.notify_waiters();
        changed
    }

    /// Closes a document.
    pub(crate) fn close(&self, uri: &Uri) {
        self.lock().remove(uri.as_str());
        self.changed.notify_waiters();
    }

    /// The names of all open documents.
    pub(crate) fn uris(&self) -> Vec<Uri> {
        self.lock().values().map(|document| document.now.uri.clone()).collect()
    }

    /// All open documents in their current state.
    pub(crate) fn all(&self) -> Vec<Snapshot> {
        self.lock().values().map(|document| document.now.clone()).collect()
    }

    /// A document in its current state.
    pub(crate) fn get(&self, uri: &str) -> Option<Snapshot> {
        self.with(uri, |document| document.now.clone())
    }

    /// Waits until a snapshot is outdated.
    pub(crate) async fn outdated(&self, snapshot: &Snapshot) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if !self.is_current(snapshot) {
                return;
            }
            changed.await;
        }
    }

    /// Whether a snapshot is still current.
    pub(crate) fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.with(&snapshot.key, |document| document.now.edit) == Some(snapshot.edit)
    }

    /// Accesses a document. `None` if it is not open.
    pub(crate) fn with<T>(&self, uri: &str, access: impl FnOnce(&mut Document) -> T) -> Option<T> {
        self.lock().get_mut(uri).map(access)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Document>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
