//! Refactorings as code actions.

use super::action::{Selected, includes, with_edit};
use crate::documents::Snapshot;
use crate::session::Session;
use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::Edit;
use tile_analysis::ide::actions::{self, ActionKind};
use tile_launch::skeleton;
use tower_lsp::ls_types::{CodeAction, CodeActionKind};

/// The refactorings of the wanted kinds for a range of a document.
pub(crate) fn refactorings(
    db: &Database,
    file: File,
    snapshot: &Snapshot,
    session: &Session,
    range: Range<u32>,
    wanted: Option<&[CodeActionKind]>,
) -> Vec<CodeAction> {
    let is_wanted =
        |kind: &CodeActionKind| wanted.is_none_or(|wanted| wanted.iter().any(|wanted| includes(wanted, kind)));
    let all = all(db, file, range.clone()).into_iter().filter(|(_, kind, _)| is_wanted(kind));
    all.map(|(title, kind, edits)| {
        let what = Selected::Refactoring { start: range.start, end: range.end, title: title.clone() };
        let action = CodeAction { title, kind: Some(kind), ..CodeAction::default() };
        with_edit(action, &edits, what, snapshot, session)
    })
    .collect()
}

/// The edits of a refactoring that was offered for a range.
pub(super) fn edits(db: &Database, file: File, range: Range<u32>, title: &str) -> Option<Vec<Edit>> {
    let mut all = all(db, file, range).into_iter();
    all.find(|(own, ..)| own == title).map(|(.., edits)| edits)
}

/// Every refactoring: its title, its kind, and its edits.
fn all(db: &Database, file: File, range: Range<u32>) -> Vec<(String, CodeActionKind, Vec<Edit>)> {
    let launch = skeleton::skeleton(db, file, range.start).into_iter().map(|fix| {
        let title = fix.title.replacen("add", "Add", 1);
        (title, CodeActionKind::REFACTOR_REWRITE, fix.edits)
    });
    let optimized = tile_opt::at::offers(db, file, range.start);
    let optimized = optimized.into_iter().map(|offer| (offer.title, CodeActionKind::REFACTOR_REWRITE, offer.edits));
    let others = actions::actions(db, file, range).into_iter();
    others.map(|action| (action.title, kind(action.kind), action.edits)).chain(launch).chain(optimized).collect()
}

fn kind(kind: ActionKind) -> CodeActionKind {
    match kind {
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Source => CodeActionKind::SOURCE,
    }
}
