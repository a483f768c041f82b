//! `textDocument/codeAction`: the fixes that diagnostics carry.

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
    let wanted = params.context.only.as_ref();
    if wanted
        .is_some_and(|kinds| !kinds.iter().any(|kind| CodeActionKind::QUICKFIX.as_str().starts_with(kind.as_str())))
    {
        return Ok(None);
    }
    let session = shared.session();
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let (start, end) = (snapshot.text.offset(params.range.start), snapshot.text.offset(params.range.end));
            let found = checks::all(db, file);
            let here = found.iter().filter(|found| found.range.start <= end && start <= found.range.end);
            here.flat_map(|found| actions(found, snapshot, &session)).collect()
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
