//! `textDocument/codeLens`: one above each launch, to run it.

use super::execute_command::{RUN, Target};
use crate::documents::Snapshot;
use crate::run::launch_name;
use crate::server::Shared;
use tile_backend::launch::find::{self, EntryLaunches};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, CodeLensParams, Command};

pub(crate) async fn handle(shared: &Shared, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    if !shared.session().trusted {
        return Ok(None);
    }
    shared
        .answer(&params.text_document.uri, |db, file, snapshot| {
            find::find(db, file).iter().flat_map(|entry| lenses(entry, snapshot)).collect()
        })
        .await
}

fn lenses(entry: &EntryLaunches, snapshot: &Snapshot) -> Vec<CodeLens> {
    let launches = entry.directives.launches.iter().enumerate();
    let lenses = launches.map(|(index, launch)| {
        let start = launch.range.start as u32;
        let line = snapshot.text.position(start).line as usize;
        let mut range = snapshot.text.range(&(start..start));
        range.end = snapshot.text.line_end(line);
        let name = launch_name(&entry.directives.launches, index);
        let title = format!("▶ Run {}", name.as_deref().unwrap_or_default()).trim_end().to_string();
        let target =
            Target { uri: snapshot.uri.as_str().to_string(), entry: entry.entry.name.to_string(), launch: name };
        let arguments = serde_json::to_value(target).ok().map(|target| vec![target]);
        CodeLens { range, command: Some(Command { title, command: RUN.to_string(), arguments }), data: None }
    });
    lenses.collect()
}
