//! Refactorings as code actions: changes that somebody may want who has made no mistake.

use crate::documents::Snapshot;
use std::collections::HashMap;
use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::Edit;
use tile_analysis::ide::actions::{self, ActionKind};
use tile_backend::launch::skeleton;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, TextEdit, WorkspaceEdit};

/// What can be done about a range of a document, as far as it is of the kinds that are wanted.
pub(crate) fn refactorings(
    db: &Database,
    file: File,
    snapshot: &Snapshot,
    range: Range<u32>,
    wanted: Option<&Vec<CodeActionKind>>,
) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| {
        wanted.is_none_or(|wanted| wanted.iter().any(|wanted| includes(wanted.as_str(), kind.as_str())))
    };
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
        edit: Some(edit(&edits, snapshot)),
        ..CodeAction::default()
    })
    .collect()
}

/// Whether a kind that was asked for, such as `refactor`, includes another, such as `refactor.rewrite`.
fn includes(wanted: &str, kind: &str) -> bool {
    kind.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.is_empty())
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Source => CodeActionKind::SOURCE,
    }
}

fn edit(edits: &[Edit], snapshot: &Snapshot) -> WorkspaceEdit {
    let edits = edits.iter().map(|edit| TextEdit::new(snapshot.text.range(&edit.range), edit.content.clone()));
    WorkspaceEdit {
        changes: Some(HashMap::from([(snapshot.uri.clone(), edits.collect())])),
        ..WorkspaceEdit::default()
    }
}
