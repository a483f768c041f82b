//! `textDocument/codeAction` and `codeAction/resolve`: single fixes of diagnostics, all safe fixes at once, and
//! refactorings.

use super::action::{Chosen, Selected, WhichFix, includes, with_edit};
use super::refactor::{self, refactorings};
use crate::commands::VIEW;
use crate::convert::{convert, title};
use crate::documents::Snapshot;
use crate::edits::workspace_edit;
use crate::run_results::RUN_SOURCE;
use crate::session::Session;
use crate::shared::Shared;
use serde_json::json;
use std::ops::Range;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::{Applicability, Diagnostic, Edit, Severity};
use tile_analysis::fixes;
use tile_analysis::selection::Candidate;
use tile_launch::find;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command,
    Diagnostic as PublishedDiagnostic, WorkDoneProgressOptions,
};

/// The kind of applying all safe fixes. Editors can do this on save.
const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.tile");

/// The capability announced to the client.
pub(crate) fn options(session: &Session) -> CodeActionOptions {
    CodeActionOptions {
        code_action_kinds: Some(vec![
            CodeActionKind::QUICKFIX,
            CodeActionKind::REFACTOR_EXTRACT,
            CodeActionKind::REFACTOR_INLINE,
            CodeActionKind::REFACTOR_REWRITE,
            CodeActionKind::SOURCE,
            FIX_ALL,
        ]),
        resolve_provider: Some(session.lazy_edits),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    }
}

pub(crate) async fn handle(shared: &Shared, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let only = params.context.only;
    let wants =
        |kind: &CodeActionKind| only.as_ref().is_none_or(|only| only.iter().any(|wanted| includes(wanted, kind)));
    let (wants_fixes, wants_all) = (wants(&CodeActionKind::QUICKFIX), wants(&FIX_ALL));
    let session = shared.session();
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let (start, end) = (snapshot.text.offset(params.range.start), snapshot.text.offset(params.range.end));
            let mut offered = Vec::new();
            if wants_fixes || wants_all {
                let is_here = |range: &Range<u32>| range.start <= end && start <= range.end;
                let found =
                    snapshot.found(db, file, &mut |found| is_here(&found.range) || wants_all && matters_for_all(found));
                let here = found.iter().filter(|found| is_here(&found.range));
                if wants_fixes {
                    offered.extend(here.flat_map(|found| quick_fixes(found, snapshot, &session)));
                }
                if wants_all {
                    offered.extend(all_fixes(db, file, &found, snapshot, &session));
                }
            }
            if wants_fixes && session.views && session.trusted {
                offered.extend(views(db, file, snapshot, &params.context.diagnostics));
            }
            offered.extend(refactorings(db, file, snapshot, &session, start..end, only.as_deref()));
            offered.into_iter().map(CodeActionOrCommand::CodeAction).collect()
        })
        .await
}

/// For each failed expectation that compares elements, an action that shows them.
fn views(db: &Database, file: File, snapshot: &Snapshot, found: &[PublishedDiagnostic]) -> Vec<CodeAction> {
    let entries = find::find(db, file);
    let expects = || entries.iter().flat_map(|entry| &entry.directives.launches).flat_map(|launch| &launch.expects);
    let compared = |found: &&PublishedDiagnostic| {
        let start = snapshot.text.offset(found.range.start) as usize;
        found.source.as_deref() == Some(RUN_SOURCE)
            && expects().any(|expect| expect.compares_elements() && expect.range().start == start)
    };
    let action = |found: &PublishedDiagnostic| CodeAction {
        title: "Show the differences".to_string(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![found.clone()]),
        command: Some(Command {
            title: "Show the differences".to_string(),
            command: VIEW.to_string(),
            arguments: Some(vec![json!({ "uri": snapshot.uri.as_str(), "position": found.range.start })]),
        }),
        ..CodeAction::default()
    };
    found.iter().filter(compared).map(action).collect()
}

/// Adds the edit of an action that was offered without it.
pub(crate) async fn resolve(shared: &Shared, mut action: CodeAction) -> Result<CodeAction> {
    let chosen = action.data.take().map(serde_json::from_value::<Chosen>);
    let Some(Ok(chosen)) = chosen else { return Ok(action) };
    let session = shared.session();
    let edit = shared
        .answer(&chosen.uri, move |db, file, snapshot| {
            if snapshot.version != chosen.version {
                return None;
            }
            let edits = match &chosen.what {
                Selected::All => safe_fixes(db, file, &snapshot.found(db, file, &mut matters_for_all), snapshot),
                Selected::Fix(which) => {
                    let found = snapshot.found(db, file, &mut |found| which.is_of(found));
                    found.first()?.fixes.get(which.index)?.edits.clone()
                }
                Selected::Refactoring { start, end, title } => refactor::edits(db, file, *start..*end, title)?,
            };
            Some(workspace_edit(&edits, snapshot, &session))
        })
        .await?;
    action.edit = Some(edit.flatten().ok_or_else(Error::content_modified)?);
    Ok(action)
}

impl WhichFix {
    /// Whether this is a fix of a diagnostic.
    fn is_of(&self, found: &Candidate<'_>) -> bool {
        let range = self.start..self.end;
        found.page.code == self.code && (found.several.is_some() || found.range == range)
    }
}

/// Whether fixing all needs to know a diagnostic: it has a fix, or the fixes must not add to its kind.
fn matters_for_all(found: &Candidate<'_>) -> bool {
    !found.fixes.is_empty() || found.severity != Severity::Hint
}

fn quick_fixes(found: &Diagnostic, snapshot: &Snapshot, session: &Session) -> Vec<CodeAction> {
    let preferred = fixes::chosen(&found.fixes, Applicability::Safe);
    let fixes = found.fixes.iter().enumerate().map(|(index, fix)| {
        let which =
            WhichFix { code: found.page.code.to_string(), start: found.range.start, end: found.range.end, index };
        let action = CodeAction {
            title: title(fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![convert(found.clone(), snapshot, session)]),
            is_preferred: (preferred == Some(fix)).then_some(true),
            ..CodeAction::default()
        };
        with_edit(action, &fix.edits, Selected::Fix(which), snapshot, session)
    });
    fixes.collect()
}

fn all_fixes(
    db: &Database,
    file: File,
    found: &[Diagnostic],
    snapshot: &Snapshot,
    session: &Session,
) -> Option<CodeAction> {
    found.iter().find_map(|found| fixes::chosen(&found.fixes, Applicability::Safe))?;
    let action = CodeAction { title: "Apply all safe fixes".to_string(), kind: Some(FIX_ALL), ..CodeAction::default() };
    if session.lazy_edits {
        return Some(with_edit(action, &[], Selected::All, snapshot, session));
    }
    let edits = safe_fixes(db, file, found, snapshot);
    (!edits.is_empty()).then(|| with_edit(action, &edits, Selected::All, snapshot, session))
}

/// The edits of all safe fixes, including fixes that become possible after others.
fn safe_fixes(db: &Database, file: File, found: &[Diagnostic], snapshot: &Snapshot) -> Vec<Edit> {
    let options = file.options(db);
    let check = |text: &str| {
        let mut found = tile_launch::find::check(text, options);
        snapshot.project.levels.apply(&mut found);
        found
    };
    let fixed = fixes::fix_all(file.text(db), found, Applicability::Safe, check);
    fixed.map_or_else(Vec::new, |fixed| fixed.edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_sub_kinds() {
        let kind = |name: &'static str| CodeActionKind::new(name);
        for wanted in ["", "source", "source.fixAll", "source.fixAll.tile"] {
            assert!(includes(&kind(wanted), &FIX_ALL), "{wanted}");
        }
        for wanted in ["quickfix", "source.fix", "source.fixAll.tile.more", "source.organizeImports"] {
            assert!(!includes(&kind(wanted), &FIX_ALL), "{wanted}");
        }
    }
}
