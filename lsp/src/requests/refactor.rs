//! Refactorings as code actions: changes that somebody may want who has made no mistake.

use super::code_action::holds;
use crate::documents::Snapshot;
use crate::edits::workspace_edit;
use crate::session::Session;
use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_analysis::ide::actions::{self, ActionKind};
use tile_backend::launch::skeleton;
use tower_lsp::ls_types::{CodeAction, CodeActionKind};

/// What can be done about a range of a document, as far as it is of the kinds that are wanted.
pub(crate) fn refactorings(
    db: &Database,
    file: File,
    snapshot: &Snapshot,
    session: &Session,
    range: Range<u32>,
    wanted: Option<&[CodeActionKind]>,
) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| wanted.is_none_or(|wanted| wanted.iter().any(|wanted| holds(wanted, kind)));
    let launch = skeleton::skeleton(db, file, range.start).into_iter().map(|fix| {
        let title = fix.title.replacen("add", "Add", 1);
        (title, CodeActionKind::REFACTOR_REWRITE, fix.edits)
    });
    let others = actions::actions(db, file, range).into_iter();
    let others = others.map(|action| (action.title, kind(action.kind), action.edits));
    let all = others.chain(launch).filter(|(_, kind, _)| is_wanted(kind));
    all.map(|(title, kind, edits)| CodeAction {
        title,
        kind: Some(kind),
        edit: Some(workspace_edit(&edits, snapshot, session)),
        ..CodeAction::default()
    })
    .collect()
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Source => CodeActionKind::SOURCE,
    }
}
