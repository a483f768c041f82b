//! Conversion of edits to those of the protocol.

use crate::documents::Snapshot;
use crate::session::Session;
use std::collections::HashMap;
use tile_analysis::diagnostic::Edit;
use tower_lsp::ls_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit, WorkspaceEdit,
};

/// Edits of one document. If the client supports it they name the version that they are for, so that they are not
/// applied to another.
pub(crate) fn workspace_edit(edits: &[Edit], snapshot: &Snapshot, session: &Session) -> WorkspaceEdit {
    let edits = edits.iter().map(|edit| TextEdit::new(snapshot.text.range(&edit.range), edit.content.clone()));
    if !session.versioned_edits {
        let changes = HashMap::from([(snapshot.uri.clone(), edits.collect())]);
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let text_document =
        OptionalVersionedTextDocumentIdentifier { uri: snapshot.uri.clone(), version: Some(snapshot.version) };
    let edits = edits.map(OneOf::Left).collect();
    let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]);
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}
