//! Conversion of edits to those of the protocol.

use crate::documents::Snapshot;
use crate::session::Session;
use std::collections::HashMap;
use tile_analysis::diagnostic::Edit;
use tower_lsp::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    TextDocumentEdit, TextEdit, WorkspaceEdit,
};

/// The name of the annotation of edits that are shown before they are applied.
const PREVIEWED: &str = "previewed";

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

/// Has the client show edits before it applies them, under this label, if it can.
pub(crate) fn previewed(edit: WorkspaceEdit, label: &str, session: &Session) -> WorkspaceEdit {
    let (true, Some(DocumentChanges::Edits(documents))) = (session.previews_edits, &edit.document_changes) else {
        return edit;
    };
    let annotated = |edit: &OneOf<TextEdit, AnnotatedTextEdit>| match edit {
        OneOf::Left(text_edit) => {
            OneOf::Right(AnnotatedTextEdit { text_edit: text_edit.clone(), annotation_id: PREVIEWED.to_string() })
        }
        OneOf::Right(_) => edit.clone(),
    };
    let documents = documents.iter().map(|document| TextDocumentEdit {
        text_document: document.text_document.clone(),
        edits: document.edits.iter().map(annotated).collect(),
    });
    let annotation = ChangeAnnotation { label: label.to_string(), needs_confirmation: Some(true), description: None };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(documents.collect())),
        change_annotations: Some(HashMap::from([(PREVIEWED.to_string(), annotation)])),
        ..edit
    }
}
