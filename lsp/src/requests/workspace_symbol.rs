//! `workspace/symbol`: entries, globals and aliases of the open documents and of the programs in the open folders.

use super::symbols::flatten;
use crate::documents::Snapshot;
use crate::outbox::Message;
use crate::paths::path_of;
use crate::shared::Shared;
use crate::workspace::Search;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tile_analysis::ide::symbols;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{MessageType, SymbolInformation, Uri, WorkspaceSymbolParams, WorkspaceSymbolResponse};

/// How long to wait for the programs in the open folders. Thousands of programs on a local disk take about a second.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The log entry when that is too short.
const TIMED_OUT: &str = "searching the opened folders takes longer than 10 s, so only symbols of open files are listed";

/// The maximum number of symbols returned.
const MAX_SYMBOLS: usize = 1000;

pub(crate) async fn handle(
    shared: &Arc<Shared>,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>> {
    let query = params.query;
    let mut found = Vec::new();
    let mut open_paths: HashSet<PathBuf> = HashSet::new();
    for uri in shared.documents.uris() {
        open_paths.extend(path_of(&uri));
        let of_document = shared.answer(&uri, |db, file, snapshot| {
            let mut flat = Vec::new();
            flatten(symbols::symbols(db, file), snapshot, &mut flat);
            flat
        });
        // A document that changes in the meantime is skipped.
        found.extend(of_document.await.ok().flatten().unwrap_or_default());
    }
    let worker = shared.clone();
    let closed = shared.workspace.search(Search::Symbols, move || in_folders(&worker, &open_paths));
    match tokio::time::timeout(TIMEOUT, closed).await {
        Ok(closed) => found.extend(closed?),
        Err(_) => shared.outbox.put(Message::Log(MessageType::WARNING, TIMED_OUT.to_string())),
    }
    found.retain(|symbol| matches(&symbol.name, &query));
    found.sort_by_key(|symbol| (rank(&symbol.name, &query), symbol.name.len()));
    found.truncate(MAX_SYMBOLS);
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}

fn in_folders(shared: &Shared, open: &HashSet<PathBuf>) -> Vec<SymbolInformation> {
    let facts = shared.workspace.facts(shared.options(), &shared.projects, |path| open.contains(path), |_, _| {});
    let mut found = Vec::new();
    for (path, facts) in facts {
        let Some(uri) = Uri::from_file_path(&path) else { continue };
        let text = facts.text(shared.session().encoding);
        let snapshot = Snapshot::closed(uri, text);
        flatten(facts.symbols().to_vec(), &snapshot, &mut found);
    }
    found
}

/// Whether a name contains the letters of a query in order.
fn matches(name: &str, query: &str) -> bool {
    let mut name = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| name.any(|found| found == wanted))
}

/// Ranks names that start with the query first, then those that contain it.
fn rank(name: &str, query: &str) -> u8 {
    let bare = name.trim_start_matches(['@', '!', '#']).to_lowercase();
    let query = query.trim_start_matches(['@', '!', '#']).to_lowercase();
    if bare.starts_with(&query) { 0 } else { 1 + u8::from(!bare.contains(&query)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_match_letters_in_order() {
        assert!(
            matches("@flash_attention", "") && matches("@flash_attention", "FA") && matches("@flash_attention", "@fl")
        );
        assert!(!matches("@flash_attention", "af_") && !matches("@k", "kk"));
        assert!(rank("@gemm", "ge") < rank("@a_gemm", "ge") && rank("@a_gemm", "ge") < rank("@g_e", "ge"));
    }
}
