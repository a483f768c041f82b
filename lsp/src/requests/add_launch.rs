//! The command that adds a launch above an entry, and its lens.

use super::lens::lens;
use crate::commands::{ADD_LAUNCH, AddLaunchRequest, refused};
use crate::documents::Snapshot;
use crate::edits::workspace_edit;
use crate::outbox::Message;
use crate::shared::Shared;
use serde_json::{Value, json};
use tile_analysis::db::{Database, File};
use tile_launch::find::{self, EntryLaunches};
use tile_launch::skeleton;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::CodeLens;

/// The lenses of entries without a launch.
pub(super) fn lenses(db: &Database, file: File, entries: &[EntryLaunches], snapshot: &Snapshot) -> Vec<CodeLens> {
    let without = entries.iter().filter(|entry| entry.directives.launches.is_empty());
    let of_entry = |entry: &EntryLaunches| {
        skeleton::skeleton(db, file, entry.start)?;
        let argument = json!({ "uri": snapshot.uri.as_str(), "entry": &*entry.entry.name });
        Some(lens(snapshot.rest_of_line(entry.start), "Add launch".to_string(), ADD_LAUNCH, vec![argument]))
    };
    without.filter_map(of_entry).collect()
}

/// Has the client insert the launch.
pub(super) async fn add(shared: &Shared, wanted: AddLaunchRequest) -> Result<Value> {
    let snapshot = shared.documents.get(&wanted.uri).ok_or_else(|| refused("the document is not open".to_string()))?;
    let (session, name) = (shared.session(), wanted.entry.clone());
    let edit = shared
        .answer(&snapshot.uri, move |db, file, snapshot| {
            let entries = find::find(db, file);
            let entry = entries.iter().find(|entry| *entry.entry.name == *name)?;
            let fix = skeleton::skeleton(db, file, entry.start)?;
            Some(workspace_edit(&fix.edits, snapshot, &session))
        })
        .await?
        .flatten();
    let edit = edit.ok_or_else(|| refused(format!("no launch can be added to `@{}`", wanted.entry)))?;
    shared.outbox.put(Message::ApplyEdit(edit));
    Ok(Value::Null)
}
