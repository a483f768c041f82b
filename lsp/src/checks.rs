//! Checking documents after they changed, and telling the client what was found.

use crate::convert::convert;
use crate::documents::{Document, MAX_BYTES, Snapshot};
use crate::engine::{Answer, Replaced, Unanswered};
use crate::findings::Findings;
use crate::outbox::Message;
use crate::shared::Shared;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity};

/// A document whose last check took longer than this is checked when it was left alone for a moment.
const QUICK: Duration = Duration::from_millis(30);

/// That moment.
const PAUSE: Duration = Duration::from_millis(40);

/// Has the engine follow a document, and the document checked.
pub(crate) fn follow(shared: &Arc<Shared>, snapshot: Snapshot, replaced: Option<Vec<Replaced>>) {
    if snapshot.is_too_large() {
        shared.engine.forget(snapshot.key.clone());
        return refuse(shared, &snapshot);
    }
    let (key, text) = (snapshot.key.clone(), snapshot.text.rope.clone());
    match replaced {
        Some(replaced) => shared.engine.edit(key, text, replaced),
        None => {
            shared.engine.write(key.clone(), text);
            shared.engine.set_rules(key, snapshot.project.rules);
        }
    }
    changed(shared, snapshot);
}

/// A document has changed: has it checked, and the client told. A client that asks for diagnostics asks for these too; it is
/// told only what runs have found, which moves and goes with the text.
pub(crate) fn changed(shared: &Arc<Shared>, snapshot: Snapshot) {
    if !shared.session().pulls {
        return check(shared, snapshot);
    }
    shared.documents.with(&snapshot.key, |document| {
        if document.reported {
            publish(shared, document);
        }
    });
}

/// Has a document checked. The work is ordered at once, so that it sees the text as it is now.
fn check(shared: &Arc<Shared>, snapshot: Snapshot) {
    let last = shared.documents.with(&snapshot.key, |document| document.check_time).unwrap_or_default();
    let now = (last <= QUICK).then(|| order(shared, &snapshot));
    let shared = shared.clone();
    tokio::spawn(async move {
        let mut found = match now {
            Some(answer) => answer.wait().await,
            None => {
                tokio::time::sleep(PAUSE).await;
                Err(Unanswered::Cancelled)
            }
        };
        // What cancelled the work may have been a change of another document.
        while matches!(found, Err(Unanswered::Cancelled)) && shared.documents.is_current(&snapshot) {
            found = order(&shared, &snapshot).wait().await;
        }
        match found {
            Ok((found, time)) => accept(&shared, &snapshot, found, time),
            Err(Unanswered::Panicked(why)) => gave_up(&shared, &snapshot, &why),
            Err(_) => {}
        }
    });
}

/// The check has panicked. What the client was told of an older text does not hold any more, and nobody waits for ever for
/// what would be told of this one.
fn gave_up(shared: &Shared, snapshot: &Snapshot, why: &str) {
    shared.panicked(why);
    // Nobody knows in which state it was left.
    *snapshot.findings.lock().unwrap_or_else(PoisonError::into_inner) = Findings::default();
    accept(shared, snapshot, vec![note(DiagnosticSeverity::ERROR, why.to_string())], Duration::ZERO);
}

/// Something to say about a document as a whole.
fn note(severity: DiagnosticSeverity, message: String) -> Diagnostic {
    Diagnostic { severity: Some(severity), source: Some("tile".to_string()), message, ..Diagnostic::default() }
}

/// Says of a document that it is too large to be checked.
pub(crate) fn refuse(shared: &Shared, snapshot: &Snapshot) {
    let message = format!(
        "this file has {} MiB; files of more than {} MiB are not looked at",
        snapshot.text.rope.len_bytes() >> 20,
        MAX_BYTES >> 20
    );
    accept(shared, snapshot, vec![note(DiagnosticSeverity::WARNING, message)], Duration::ZERO);
}

/// Orders a check. The answer is what was found, and how long it took to find it.
fn order(shared: &Shared, snapshot: &Snapshot) -> Answer<(Vec<Diagnostic>, Duration)> {
    let (session, snapshot) = (shared.session(), snapshot.clone());
    shared.engine.work(snapshot.key.clone(), move |db, file| {
        #[cfg(debug_assertions)]
        assert!(!snapshot.key.ends_with("/this-check-panics.tile"), "this panic is part of a test");
        let began = Instant::now();
        let (found, is_new) = snapshot.found(db, file);
        // What it takes to look at everything says little about the next edit.
        let time = if is_new { Duration::ZERO } else { began.elapsed() };
        (found.iter().map(|found| convert(found, &snapshot, &session)).collect(), time)
    })
}

/// Keeps what was found and tells the client, unless the document has changed since.
fn accept(shared: &Shared, snapshot: &Snapshot, found: Vec<Diagnostic>, time: Duration) {
    shared.documents.with(&snapshot.key, |document| {
        if document.now.edit == snapshot.edit {
            (document.found, document.check_time) = (found, time);
            publish(shared, document);
        }
    });
}

/// Tells the client what checks and runs have found in a document.
pub(crate) fn publish(shared: &Shared, document: &mut Document) {
    let mut all = document.found.clone();
    all.extend(document.remembered.diagnostics(&document.now.text));
    document.reported = !all.is_empty();
    shared.outbox.put(Message::Diagnostics(document.now.uri.clone(), all, Some(document.now.version)));
}
