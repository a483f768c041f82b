//! `textDocument/codeAction`: the fixes that diagnostics carry, and refactorings.

use super::refactor::refactorings;
use crate::checks;
use crate::documents::Snapshot;
use crate::server::Shared;
use crate::session::Session;
use std::collections::HashMap;
use tile_analysis::diagnostic::{Diagnostic, Fix};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, TextEdit, WorkspaceEdit,
};

pub(crate) async fn handle(shared: &Shared, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let wanted = params.context.only;
    let is_quickfix = |kind: &CodeActionKind| CodeActionKind::QUICKFIX.as_str().starts_with(kind.as_str());
    let wants_fixes = wanted.as_ref().is_none_or(|kinds| kinds.iter().any(is_quickfix));
    let session = shared.session();
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let (start, end) = (snapshot.text.offset(params.range.start), snapshot.text.offset(params.range.end));
            let found = if wants_fixes { checks::all(db, file) } else { Vec::new() };
            let here = found.iter().filter(|found| found.range.start <= end && start <= found.range.end);
            let fixes = here.flat_map(|found| actions(found, snapshot, &session));
            let others = refactorings(db, file, snapshot, start..end, wanted.as_ref());
            fixes.chain(others.into_iter().map(CodeActionOrCommand::CodeAction)).collect()
        })
        .await
}

fn actions(found: &Diagnostic, snapshot: &Snapshot, session: &Session) -> Vec<CodeActionOrCommand> {
    let is_only = found.fixes.len() == 1;
    let fixes = found.fixes.iter().map(|fix| {
        CodeActionOrCommand::CodeAction(CodeAction {
            title: title(fix),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![checks::convert(found, snapshot, session)]),
            edit: Some(edit(fix, snapshot)),
            is_preferred: is_only.then_some(true),
            ..CodeAction::default()
        })
    });
    fixes.collect()
}

fn title(fix: &Fix) -> String {
    let mut chars = fix.title.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn edit(fix: &Fix, snapshot: &Snapshot) -> WorkspaceEdit {
    let edits = fix.edits.iter().map(|edit| TextEdit::new(snapshot.text.range(&edit.range), edit.content.clone()));
    WorkspaceEdit {
        changes: Some(HashMap::from([(snapshot.uri.clone(), edits.collect())])),
        ..WorkspaceEdit::default()
    }
}
