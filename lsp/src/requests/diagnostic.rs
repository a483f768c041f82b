//! `textDocument/diagnostic` and `workspace/diagnostic`: diagnostics for clients that pull them.

use crate::convert::convert;
use crate::documents::Snapshot;
use crate::paths::path_of;
use crate::progress::Progress;
use crate::shared::Shared;
use crate::workspace::Search;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;

/// How long a response without changes is held back.
const HOLD: Duration = Duration::from_secs(60);

/// [`HOLD`] for clients that do not report changed files.
const HOLD_UNWATCHED: Duration = Duration::from_secs(3);

/// How long to wait for further changes before the next check.
const PAUSE: Duration = Duration::from_millis(200);

/// The capability announced to the client.
pub(crate) fn options() -> DiagnosticOptions {
    DiagnosticOptions {
        identifier: Some("tile".to_string()),
        inter_file_dependencies: false,
        workspace_diagnostics: true,
        work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
    }
}

/// The diagnostics of a document, or that they are unchanged.
pub(crate) async fn document(
    shared: &Shared,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let found = of_open(shared, &params.text_document.uri).await;
    let found = found.map_err(|error| if error == Error::content_modified() { retry_error() } else { error })?;
    let report =
        found.map_or_else(|| Report::new(None, Vec::new()), |found| Report::new(Some(found.opening), found.items));
    let report = if report.is(params.previous_result_id.as_deref()) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: report.unchanged(),
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: report.full(),
        })
    };
    Ok(report.into())
}

/// The error for a request whose document has changed: the client should send it again.
fn retry_error() -> Error {
    const SERVER_CANCELLED: i64 = -32802;
    Error {
        message: "the text has changed in the meantime".into(),
        data: Some(serde_json::json!({ "retriggerRequest": true })),
        ..Error::new(ErrorCode::ServerError(SERVER_CANCELLED))
    }
}

/// The diagnostics of an open document.
struct OfOpen {
    version: i32,
    opening: u64,
    items: Vec<Diagnostic>,
}

async fn of_open(shared: &Shared, uri: &Uri) -> Result<Option<OfOpen>> {
    let session = shared.session();
    shared
        .answer(uri, move |db, file, snapshot| {
            let (found, _) = snapshot.checked(db, file);
            let found = found.iter().map(|found| convert(found.in_file(), snapshot, &session));
            OfOpen { version: snapshot.version, opening: snapshot.opening, items: found.collect() }
        })
        .await
}

/// Diagnostics with their result ID.
struct Report {
    id: String,
    items: Vec<Diagnostic>,
}

impl Report {
    /// Clients can forget a document's diagnostics when it is closed (Neovim 0.12 does), so the ID differs after the
    /// document is opened again.
    fn new(opening: Option<u64>, items: Vec<Diagnostic>) -> Report {
        let mut hasher = DefaultHasher::new();
        opening.hash(&mut hasher);
        serde_json::to_string(&items).unwrap_or_default().hash(&mut hasher);
        Report { id: format!("{:016x}", hasher.finish()), items }
    }

    fn is(&self, previous: Option<&str>) -> bool {
        previous == Some(self.id.as_str())
    }

    fn full(self) -> FullDocumentDiagnosticReport {
        FullDocumentDiagnosticReport { result_id: Some(self.id), items: self.items }
    }

    fn unchanged(self) -> UnchangedDocumentDiagnosticReport {
        UnchangedDocumentDiagnosticReport { result_id: self.id }
    }
}

/// The URIs and the result IDs of the documents that the client has diagnostics of.
type Previous = HashMap<PathBuf, (Uri, String)>;

/// What identifies a document. Clients encode other characters of a path than the server, and VS Code writes the drive
/// of a Windows path in lower case, so URIs cannot be compared.
fn file_of(uri: &Uri) -> PathBuf {
    path_of(uri).unwrap_or_else(|| uri.as_str().into())
}

/// The diagnostics of all programs in the open folders. A client that accepts partial results repeats the request
/// immediately, so it receives an answer only when something has changed.
pub(crate) async fn workspace(
    shared: &Arc<Shared>,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult> {
    let previous: Previous =
        params.previous_result_ids.into_iter().map(|id| (file_of(&id.uri), (id.uri, id.value))).collect();
    let may_wait = params.partial_result_params.partial_result_token.is_some() && !previous.is_empty();
    let token = params.work_done_progress_params.work_done_token;
    loop {
        // Registered before the check, so that no change during the check is missed.
        let changed = shared.workspace.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        let items = check_once(shared, &previous, token.clone()).await?;
        let is_new =
            |item: &WorkspaceDocumentDiagnosticReport| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_));
        if !may_wait || items.iter().any(is_new) {
            return Ok(WorkspaceDiagnosticReport { items }.into());
        }
        let hold = if shared.session().registers_watching { HOLD } else { HOLD_UNWATCHED };
        // After a change or the timeout, check again. Changes seldom come alone.
        if tokio::time::timeout(hold, changed).await.is_ok() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Checks all open documents, and the other programs in the open folders if the settings say so.
async fn check_once(
    shared: &Arc<Shared>,
    previous: &Previous,
    token: Option<ProgressToken>,
) -> Result<Vec<WorkspaceDocumentDiagnosticReport>> {
    let mut items = Vec::new();
    let mut reported = HashSet::new();
    let mut open: HashSet<PathBuf> = HashSet::new();
    for uri in shared.documents.uris() {
        open.insert(file_of(&uri));
        let Some(found) = of_open_until_unchanged(shared, &uri).await? else { continue };
        reported.insert(file_of(&uri));
        let (version, found) = (i64::from(found.version), Report::new(Some(found.opening), found.items));
        items.push(report(uri, Some(version), found, previous));
    }
    let settings = shared.settings();
    if settings.whole_workspace {
        let title = "Checking the workspace".to_string();
        let progress = Progress::begin(shared, token, "tile.workspace".to_string(), title, false);
        let worker = shared.clone();
        let closed = shared.workspace.search(Search::Diagnostics, move || {
            let session = worker.session();
            let report_files = |done: usize, all: usize| {
                progress.report(format!("{done} of {all} files"), Some((done * 100 / all.max(1)) as u32));
            };
            let facts =
                worker.workspace.facts(worker.options(), &worker.projects, |path| open.contains(path), report_files);
            let reports = facts.into_iter().filter_map(|(path, facts)| {
                let uri = Uri::from_file_path(&path)?;
                let text = facts.text(session.encoding);
                let snapshot = Snapshot::closed(uri.clone(), text);
                let found = facts.diagnostics().iter().map(|found| convert(found.clone(), &snapshot, &session));
                Some((uri, found.collect::<Vec<_>>()))
            });
            reports.collect::<Vec<_>>()
        });
        for (uri, found) in closed.await? {
            reported.insert(file_of(&uri));
            items.push(report(uri, None, Report::new(None, found), previous));
        }
    }
    // Documents that no longer exist have no diagnostics. VS Code keeps those of a closed document, but not their ID.
    let empty = Report::new(None, Vec::new()).id;
    let closed = shared.workspace.all_closed();
    let closed = closed.iter().filter_map(|uri| uri.parse::<Uri>().ok());
    for uri in previous.values().map(|(uri, _)| uri.clone()).chain(closed) {
        let file = file_of(&uri);
        if previous.get(&file).is_none_or(|(_, id)| *id != empty) && reported.insert(file) {
            items.push(report(uri, None, Report::new(None, Vec::new()), previous));
        }
    }
    Ok(items)
}

/// Repeats the check of a document until it does not change meanwhile.
async fn of_open_until_unchanged(shared: &Shared, uri: &Uri) -> Result<Option<OfOpen>> {
    loop {
        match of_open(shared, uri).await {
            Err(error) if error == Error::content_modified() => tokio::task::yield_now().await,
            other => return other,
        }
    }
}

fn report(uri: Uri, version: Option<i64>, report: Report, previous: &Previous) -> WorkspaceDocumentDiagnosticReport {
    if report.is(previous.get(&file_of(&uri)).map(|(_, id)| id.as_str())) {
        let report = report.unchanged();
        return WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: report,
        });
    }
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: report.full(),
    })
}
