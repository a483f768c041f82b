//! Checks documents after they change and publishes their diagnostics.

use crate::convert::convert;
use crate::documents::{Document, MAX_BYTES, Snapshot};
use crate::engine::{Answer, Replaced, Unanswered};
use crate::findings::Findings;
use crate::outbox::{Message, Published};
use crate::shared::Shared;
use crate::written::json_of;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity};

/// A document whose last check took longer than this is checked only after a short pause in editing.
const QUICK: Duration = Duration::from_millis(30);

/// The length of that pause.
const PAUSE: Duration = Duration::from_millis(40);

/// Sends the new text of a document to the engine, and starts a check of the document.
pub(crate) fn follow(shared: &Arc<Shared>, snapshot: Snapshot, replaced: Option<Vec<Replaced>>) {
    if snapshot.is_too_large() {
        shared.engine.forget(snapshot.key.clone());
        return refuse(shared, &snapshot);
    }
    let (key, text) = (snapshot.key.clone(), snapshot.text.rope.clone());
    match replaced {
        Some(replaced) => shared.engine.edit(key.clone(), text, replaced),
        None => shared.engine.write(key.clone(), text),
    }
    // An edit can be the first text of a document, too: if its earlier text was too large.
    shared.engine.set_rules(key, snapshot.project.rules);
    changed(shared, snapshot);
}

/// Checks a changed document and publishes its diagnostics. A client that pulls diagnostics requests these itself, so
/// only remarks and the findings of runs are published to it: they move and disappear with the text.
pub(crate) fn changed(shared: &Arc<Shared>, snapshot: Snapshot) {
    let has_published = || shared.documents.with(&snapshot.key, |document| !document.found.is_empty()) == Some(true);
    if !shared.session().pulls || has_published() {
        return check(shared, snapshot);
    }
    shared.documents.with(&snapshot.key, |document| {
        if document.reported {
            publish(shared, document);
        }
    });
}

/// Starts a check of a document, or of its remarks if the client pulls the other diagnostics. The work is queued
/// immediately, so that it sees the current text.
pub(crate) fn check(shared: &Arc<Shared>, snapshot: Snapshot) {
    let last = shared.documents.with(&snapshot.key, |document| document.check_time).unwrap_or_default();
    let now = (last <= QUICK).then(|| queue_check(shared, &snapshot));
    let shared = shared.clone();
    tokio::spawn(async move {
        let mut found = match now {
            Some(answer) => answer.wait().await,
            None => {
                tokio::time::sleep(PAUSE).await;
                Err(Unanswered::Cancelled)
            }
        };
        // The work may have been cancelled by a change of another document.
        while matches!(found, Err(Unanswered::Cancelled)) && shared.documents.is_current(&snapshot) {
            found = queue_check(&shared, &snapshot).wait().await;
        }
        match found {
            Ok((found, time)) => accept(&shared, &snapshot, found, time),
            Err(Unanswered::Panicked(why)) => report_panic(&shared, &snapshot, &why),
            Err(_) => {}
        }
    });
}

/// Handles a panicked check: drops the diagnostics of the older text and publishes the panic in their place.
fn report_panic(shared: &Shared, snapshot: &Snapshot, why: &str) {
    shared.panicked(why);
    // The panic may have left the findings inconsistent.
    *snapshot.findings.lock().unwrap_or_else(PoisonError::into_inner) = Findings::default();
    accept(shared, snapshot, note(DiagnosticSeverity::ERROR, why.to_string()), Duration::ZERO);
}

/// A diagnostic about a document as a whole, as JSON.
fn note(severity: DiagnosticSeverity, message: String) -> Arc<Vec<u8>> {
    let (severity, source) = (Some(severity), Some("tile".to_string()));
    Arc::new(json_of(&Diagnostic { severity, source, message, ..Diagnostic::default() }))
}

/// Reports that a document is too large to be checked.
pub(crate) fn refuse(shared: &Shared, snapshot: &Snapshot) {
    let message = format!(
        "this file is {} MiB; files larger than {} MiB are not checked",
        snapshot.text.rope.len_bytes() >> 20,
        MAX_BYTES >> 20
    );
    accept(shared, snapshot, note(DiagnosticSeverity::WARNING, message), Duration::ZERO);
}

/// Queues a check. Its answer is the diagnostics as JSON, and the time it took to compute them.
fn queue_check(shared: &Shared, snapshot: &Snapshot) -> Answer<(Arc<Vec<u8>>, Duration)> {
    let (session, snapshot) = (shared.session(), snapshot.clone());
    shared.engine.work(snapshot.key.clone(), move |db, file| {
        #[cfg(debug_assertions)]
        assert!(!snapshot.key.ends_with("/this-check-panics.tile"), "this panic is part of a test");
        let began = Instant::now();
        let (found, is_new) =
            if session.pulls { (snapshot.remarks(db, file), false) } else { snapshot.shown(db, file) };
        // The first check of a document takes longer than those after an edit.
        let time = if is_new { Duration::ZERO } else { began.elapsed() };
        let convert = |found| convert(found, &snapshot, &session);
        (snapshot.findings().written.write(found, &snapshot.text, convert), time)
    })
}

/// Stores diagnostics as JSON and publishes them, unless the document has changed since.
fn accept(shared: &Shared, snapshot: &Snapshot, found: Arc<Vec<u8>>, time: Duration) {
    shared.documents.with(&snapshot.key, |document| {
        if document.now.edit == snapshot.edit {
            (document.found, document.check_time) = (found, time);
            publish(shared, document);
        }
    });
}

/// Publishes the diagnostics of checks and runs for a document.
pub(crate) fn publish(shared: &Shared, document: &mut Document) {
    let Snapshot { uri, version, text, .. } = &document.now;
    let (checked, of_runs) = (document.found.clone(), document.run_results.diagnostics(text));
    document.reported = !checked.is_empty() || !of_runs.is_empty();
    let published = Published { uri: uri.clone(), version: Some(*version), checked, of_runs };
    shared.outbox.put(Message::Diagnostics(published));
}
