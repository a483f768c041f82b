//! A code action, and the data to find it again when its edit is resolved.

use crate::documents::Snapshot;
use crate::edits::workspace_edit;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use tile_analysis::diagnostic::Edit;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, Uri};

/// Identifies an action whose edit is resolved later.
#[derive(Serialize, Deserialize, Clone)]
pub(super) struct Chosen {
    pub(super) uri: Uri,
    /// The version of the text that it was offered for.
    pub(super) version: i32,
    pub(super) what: Selected,
}

/// Which action it is.
#[derive(Serialize, Deserialize, Clone)]
pub(super) enum Selected {
    /// All safe fixes.
    All,
    /// One fix.
    Fix(WhichFix),
    /// A refactoring, identified by the selection and its title.
    Refactoring { start: u32, end: u32, title: String },
}

/// Identifies a fix by its diagnostic.
#[derive(Serialize, Deserialize, Clone)]
pub(super) struct WhichFix {
    pub(super) code: String,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) index: usize,
}

/// Whether `kind` equals `wanted` or is a sub-kind of it.
pub(crate) fn includes(wanted: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty())
}

/// The action with its edit, or with the data to resolve it later.
pub(super) fn with_edit(
    action: CodeAction,
    edits: &[Edit],
    what: Selected,
    snapshot: &Snapshot,
    session: &Session,
) -> CodeAction {
    if !session.lazy_edits {
        return CodeAction { edit: Some(workspace_edit(edits, snapshot, session)), ..action };
    }
    let chosen = Chosen { uri: snapshot.uri.clone(), version: snapshot.version, what };
    CodeAction { data: serde_json::to_value(chosen).ok(), ..action }
}
