//! Handling of notifications that make the server send requests to the client.

use crate::lookup;
use crate::outbox::Message;
use crate::paths::path_of;
use crate::project::Project;
use crate::settings::SECTION;
use crate::shared::Shared;
use crate::target_gpu::{TargetGpu, gpu_here, wanted};
use crate::workspace::Search;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp::ls_types::{ConfigurationItem, FileChangeType, FileEvent, Registration, Uri};

/// The files to watch for changes.
const WATCHED: &str = "**/{*.tile,*.mlir,tile.toml}";

/// Handles `initialized`: registers for notifications, and requests the settings.
pub(crate) async fn initialized(shared: Arc<Shared>) {
    let session = shared.session();
    let mut registrations = Vec::new();
    let mut register = |method: &str, options: Value| {
        registrations.push(Registration {
            id: format!("tile {method}"),
            method: method.to_string(),
            register_options: Some(options),
        });
    };
    if session.registers_configuration {
        register("workspace/didChangeConfiguration", json!({ "section": SECTION }));
    }
    if session.registers_watching {
        register("workspace/didChangeWatchedFiles", json!({ "watchers": [{ "globPattern": WATCHED }] }));
    }
    if !registrations.is_empty() {
        // If the client refuses, changes are noticed later.
        let _ = shared.client.register_capability(registrations).await;
    }
    settings_changed(shared, Value::Null).await;
}

/// Reads changed settings from the client, or from the notification.
pub(crate) async fn settings_changed(shared: Arc<Shared>, sent: Value) {
    let settings = if shared.session().configuration {
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_string()) };
        shared.client.configuration(vec![item]).await.ok().and_then(|mut values| values.pop())
    } else {
        Some(sent).filter(|sent| !sent.is_null())
    };
    if settings.is_some_and(|settings| shared.apply_settings(&settings)) {
        refresh_all(&shared);
    }
    if follow_target_gpu(&shared).await {
        refresh_all(&shared);
    }
}

/// Applies changes of files on disk.
pub(crate) fn files_changed(shared: &Arc<Shared>, changes: &[FileEvent]) {
    if changes.iter().any(|change| change.uri.as_str().ends_with(tile_config::FILE_NAME)) {
        projects_changed(shared);
    }
    for FileEvent { uri, typ } in changes {
        file_changed(shared, uri, *typ == FileChangeType::DELETED);
    }
    shared.workspace.changed.notify_waiters();
}

/// Applies a change of the file of an open document.
fn file_changed(shared: &Arc<Shared>, uri: &Uri, is_deleted: bool) {
    let Some(path) = path_of(uri).filter(|_| shared.documents.get(uri.as_str()).is_some()) else { return };
    let (shared, uri) = (shared.clone(), uri.clone());
    tokio::spawn(async move {
        // Some programs delete a file before they write it. Changes are applied in order.
        let exists = shared.workspace.search(Search::File, move || !is_deleted || path.exists()).await;
        mark_deleted(&shared, &uri, exists.is_ok_and(|exists| !exists));
    });
}

/// Marks an open document as deleted, or as existing again, and checks it if that is new.
fn mark_deleted(shared: &Arc<Shared>, uri: &Uri, is_deleted: bool) {
    let changed = shared.documents.with(uri.as_str(), |document| {
        let is_new = document.now.is_deleted != is_deleted;
        document.now.is_deleted = is_deleted;
        is_new.then(|| document.now.clone())
    });
    let Some(snapshot) = changed.flatten() else { return };
    crate::checks::changed(shared, snapshot);
    let session = shared.session();
    if session.pulls && session.refresh.diagnostics {
        shared.outbox.put(Message::RefreshDiagnostics);
    }
}

/// Applies changed project files to the open documents.
pub(crate) fn projects_changed(shared: &Arc<Shared>) {
    shared.projects.forget();
    let mut is_new = false;
    for uri in shared.documents.uris() {
        if let Some(project) = lookup::project(shared, &uri, late_project) {
            is_new |= set_project(shared, &uri, project);
        }
    }
    if is_new {
        refresh(shared);
    }
}

/// Applies the project of a document that was checked without it.
pub(crate) fn late_project(shared: &Arc<Shared>, uri: Uri, project: Arc<Project>) {
    if set_project(shared, &uri, project) {
        refresh(shared);
    }
}

/// Sets the project of a document. If it had another one, checks it and returns true.
fn set_project(shared: &Arc<Shared>, uri: &Uri, project: Arc<Project>) -> bool {
    let rules = project.rules;
    let changed = shared.documents.with(uri.as_str(), |document| {
        let is_new = document.now.project != project;
        document.now.project = project;
        is_new.then(|| document.now.clone())
    });
    let Some(snapshot) = changed.flatten() else { return false };
    shared.engine.set_rules(snapshot.key.clone(), rules);
    crate::checks::changed(shared, snapshot);
    true
}

/// Checks all documents again and has the client refresh everything that it shows.
fn refresh_all(shared: &Arc<Shared>) {
    for snapshot in shared.documents.all() {
        crate::checks::changed(shared, snapshot);
    }
    refresh(shared);
}

/// Has the client refresh everything that it shows.
fn refresh(shared: &Shared) {
    let session = shared.session();
    shared.workspace.changed.notify_waiters();
    let refreshed = [
        (session.refresh.diagnostics && session.pulls, Message::RefreshDiagnostics),
        (session.refresh.tokens, Message::RefreshTokens),
        (session.refresh.hints, Message::RefreshHints),
        (session.refresh.lenses, Message::RefreshLenses),
    ];
    for (_, message) in refreshed.into_iter().filter(|(supported, _)| *supported) {
        shared.outbox.put(message);
    }
}

/// Looks up the GPU of the chosen target if it is not known. Returns whether programs are now checked for another GPU.
async fn follow_target_gpu(shared: &Arc<Shared>) -> bool {
    let settings = shared.settings();
    let chosen = wanted(&settings).filter(|_| shared.session().trusted);
    if shared.target_gpu().chosen == chosen {
        return false;
    }
    let gpu = match chosen {
        Some(number) => tokio::task::spawn_blocking(move || gpu_here(number)).await.ok().flatten(),
        None => None,
    };
    shared.set_target_gpu(TargetGpu { chosen, gpu })
}
