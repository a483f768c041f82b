//! `textDocument/documentLink`: links to the files that launch directives name.
//!
//! Only files in the folder of the program, or in a folder that is open in the editor, become links. The disk is not
//! accessed.

use crate::documents::Snapshot;
use crate::paths::{normalize, path_of};
use crate::shared::Shared;
use crate::workspace::Folders;
use std::path::Path;
use tile_analysis::ide::links;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{DocumentLink, DocumentLinkParams, Uri};

pub(crate) async fn handle(shared: &Shared, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
    let folders = shared.workspace.folders();
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let found = links::links(db, file).into_iter().filter_map(|link| {
                Some(DocumentLink {
                    range: snapshot.text.range(&link.range),
                    target: Some(target(snapshot, &link.name, &folders)?),
                    tooltip: None,
                    data: None,
                })
            });
            found.collect()
        })
        .await
}

fn target(snapshot: &Snapshot, name: &str, folders: &Folders) -> Option<Uri> {
    let program = path_of(&snapshot.uri)?;
    let folder = program.parent()?;
    let path = normalize(&folder.join(name))?;
    let is_near = |folder: &Path| path.starts_with(folder);
    (is_near(folder) || folders.holds(&path)).then(|| Uri::from_file_path(&path))?
}
