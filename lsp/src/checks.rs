//! Checking documents after they changed, and telling the client what was found.

use crate::documents::{Document, MOST_BYTES, Snapshot};
use crate::engine::{Answer, Unanswered};
use crate::explain;
use crate::outbox::Message;
use crate::requests::code_action::title;
use crate::server::Shared;
use crate::session::Session;
use crate::threads;
use serde_json::{Value, json};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::{self, Page, Severity, Tag};
use tile_backend::launch::find;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, TextEdit,
};

/// A document whose last check took longer than this is checked when it was left alone for a moment.
const QUICK: Duration = Duration::from_millis(30);

/// A text of this many bytes is worth several threads when it is new.
const LARGE: usize = 16 << 10;

/// That moment.
const PAUSE: Duration = Duration::from_millis(40);

/// A document has changed: has it checked, and the client told. A client that asks for diagnostics asks for these too; it is
/// told only what runs have found, which moves and goes with the text.
pub(crate) fn changed(shared: &Arc<Shared>, snapshot: Snapshot) {
    if !shared.session().pulls {
        return check(shared, snapshot);
    }
    shared.documents.with(&snapshot.key, |document| {
        if document.told {
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

/// What is known of a document from its earlier checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    has_looked: bool,
    program: db::Findings,
    launches: find::Findings,
}

impl Findings {
    /// Everything there is to tell about a file before anything is run.
    fn of(&mut self, db: &Database, file: File) -> Vec<diagnostic::Diagnostic> {
        let mut found = self.program.of(db, file);
        found.extend(self.launches.of(db, file));
        self.has_looked = true;
        found
    }
}

/// Everything there is to tell about a document before anything is run; and whether it is looked at for the first time.
pub(crate) fn found(db: &Database, file: File, snapshot: &Snapshot) -> (Vec<diagnostic::Diagnostic>, bool) {
    // Whoever was cancelled has left them as they were.
    let mut findings = snapshot.findings.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = !findings.has_looked;
    if is_new {
        prepare(db, file);
    }
    let mut found = findings.of(db, file);
    snapshot.project.levels.apply(&mut found);
    (found, is_new)
}

/// Says of a document that it is too large to be checked.
pub(crate) fn refuse(shared: &Shared, snapshot: &Snapshot) {
    let message = format!(
        "this file has {} MiB; files of more than {} MiB are not looked at",
        snapshot.text.rope.len_bytes() >> 20,
        MOST_BYTES >> 20
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
        let (found, is_new) = found(db, file, &snapshot);
        // What it takes to look at everything says little about the next edit.
        let time = if is_new { Duration::ZERO } else { began.elapsed() };
        (found.iter().map(|found| convert(found, &snapshot, &session)).collect(), time)
    })
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

/// Everything there is to tell about a file before anything is run.
pub(crate) fn all(db: &Database, file: File) -> Vec<diagnostic::Diagnostic> {
    Findings::default().of(db, file)
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
    document.told = !all.is_empty();
    shared.outbox.put(Message::Diagnostics(document.now.uri.clone(), all, Some(document.now.version)));
}

/// A diagnostic as the protocol has it.
pub(crate) fn convert(found: &diagnostic::Diagnostic, snapshot: &Snapshot, session: &Session) -> Diagnostic {
    let text = &snapshot.text;
    let labels = found.labels.iter().filter(|label| !label.message.is_empty());
    let related: Vec<DiagnosticRelatedInformation> = labels
        .map(|label| DiagnosticRelatedInformation {
            location: Location::new(snapshot.uri.clone(), text.range(&label.range)),
            message: label.message.clone(),
        })
        .collect();
    let mut message = found.message.clone();
    for line in [&found.label].into_iter().chain(&found.notes).filter(|line| !line.is_empty()) {
        message.push('\n');
        message.push_str(line);
    }
    Diagnostic {
        range: text.range(&found.range),
        severity: Some(severity(found.severity)),
        code: Some(NumberOrString::String(found.page.code.to_string())),
        code_description: description(found.page, session),
        tags: tags(found.page, session),
        data: data(found, snapshot, session),
        source: Some("tile".to_string()),
        message,
        related_information: (session.diagnostics.related && !related.is_empty()).then_some(related),
    }
}

/// Where the page of a code is.
fn description(page: &'static Page, session: &Session) -> Option<CodeDescription> {
    let href = session.diagnostics.description.then(|| explain::page(page))??;
    Some(CodeDescription { href })
}

fn tags(page: &Page, session: &Session) -> Option<Vec<DiagnosticTag>> {
    match page.tag()? {
        Tag::Unnecessary => session.diagnostics.unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        Tag::Deprecated => session.diagnostics.deprecated.then(|| vec![DiagnosticTag::DEPRECATED]),
    }
}

/// The fixes, for whoever reads diagnostics without asking for code actions.
fn data(found: &diagnostic::Diagnostic, snapshot: &Snapshot, session: &Session) -> Option<Value> {
    if !session.diagnostics.data || found.fixes.is_empty() {
        return None;
    }
    let fixes = found.fixes.iter().map(|fix| {
        let edits = fix.edits.iter().map(|edit| TextEdit::new(snapshot.text.range(&edit.range), edit.content.clone()));
        json!({ "title": title(fix), "edits": edits.collect::<Vec<_>>() })
    });
    Some(json!({ "version": snapshot.version, "fixes": fixes.collect::<Vec<_>>() }))
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}
