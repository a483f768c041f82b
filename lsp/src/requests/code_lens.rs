//! `textDocument/codeLens`: lenses above each launch to run it, and above the file to test it and to show generated
//! code.

use super::add_launch;
use super::lens::lens;
use crate::commands::{
    BENCH, COPY_BYTECODE, DEBUG, PROFILE, REMARKS, RUN, RUN_SANITIZED, RunRequest, SHOW_BYTECODE, SHOW_PTX, SHOW_SASS,
    TEST_ALL, TRACE, TUNE,
};
use crate::documents::Snapshot;
use crate::settings::{CPU, Settings};
use crate::shared::Shared;
use serde_json::json;
use tile_analysis::ide::symbols::{self, Symbol, SymbolKind};
use tile_backend::cuda::listing::Listing;
use tile_launch::find::{self, EntryLaunches};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeLens, CodeLensParams};

pub(crate) async fn handle(shared: &Shared, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    if !shared.session().trusted {
        return Ok(None);
    }
    let adds = shared.session().applies_edits;
    // The debugger reads the program from disk.
    let debugs = shared.session().debugs && params.text_document.uri.as_str().starts_with("file:");
    let settings = shared.settings();
    let listings = if settings.lenses.listings { shared.listings().to_vec() } else { Vec::new() };
    shared
        .answer(&params.text_document.uri, move |db, file, snapshot| {
            let launches = find::find(db, file);
            let mut lenses = Vec::new();
            if settings.lenses.run {
                lenses.extend(launches.iter().flat_map(|entry| of_entry(entry, snapshot, &settings, debugs)));
                if adds && is_editable(snapshot) {
                    lenses.extend(add_launch::lenses(db, file, &launches, snapshot));
                }
            }
            lenses.extend(of_file(&symbols::symbols(db, file), &launches, snapshot, &settings, &listings));
            lenses
        })
        .await
}

/// The lenses of the file as a whole, at its module, or else at its first entry.
fn of_file(
    symbols: &[Symbol],
    entries: &[EntryLaunches],
    snapshot: &Snapshot,
    settings: &Settings,
    listings: &[Listing],
) -> Vec<CodeLens> {
    let is_place = |symbol: &&Symbol| matches!(symbol.kind, SymbolKind::Module | SymbolKind::Entry);
    let Some(place) = symbols.iter().find(is_place) else { return Vec::new() };
    let range = snapshot.rest_of_line(place.selection.start);
    let file = vec![json!({ "uri": snapshot.uri.as_str() })];
    let count = entries.iter().flat_map(EntryLaunches::tests).count();
    let mut lenses = Vec::new();
    if settings.lenses.run && count > 1 {
        lenses.push(lens(range, format!("▶ Test all {count} launches"), TEST_ALL, file.clone()));
    }
    if settings.lenses.bytecode && !entries.is_empty() {
        lenses.push(lens(range, "Show bytecode".to_string(), SHOW_BYTECODE, file.clone()));
        lenses.push(lens(range, "Copy bytecode".to_string(), COPY_BYTECODE, file.clone()));
    }
    for listing in listings.iter().filter(|_| !entries.is_empty()) {
        let command = if *listing == Listing::Ptx { SHOW_PTX } else { SHOW_SASS };
        let title = format!("Show {}", listing.extension().to_uppercase());
        lenses.push(lens(range, title, command, file.clone()));
    }
    if listings.contains(&Listing::Ptx) && !entries.is_empty() {
        lenses.push(lens(range, "Show remarks".to_string(), REMARKS, file));
    }
    lenses
}

fn of_entry(entry: &EntryLaunches, snapshot: &Snapshot, settings: &Settings, debugs: bool) -> Vec<CodeLens> {
    let is_cpu = &*settings.run_on == CPU;
    let on = if is_cpu { String::new() } else { format!(" on {}", settings.run_on) };
    let launches = entry.directives.launches.iter().enumerate();
    let lenses = launches.flat_map(|(index, launch)| {
        let range = snapshot.rest_of_line(launch.range.start as u32);
        let name = tile_launch::name_of(&entry.directives.launches, index);
        let title = match (&launch.name, &name) {
            (Some(name), _) => format!("▶ Run \"{name}\"{on}"),
            (None, Some(number)) => format!("▶ Run {number}{on}"),
            (None, None) => format!("▶ Run{on}"),
        };
        let plain = RunRequest::new(snapshot.uri.as_str(), &entry.entry.name, name, false);
        let sanitized = RunRequest { sanitize: true, ..plain.clone() };
        let run = |title: String, command: &str, target: RunRequest| {
            lens(range, title, command, serde_json::to_value(target).into_iter().collect())
        };
        let debug = debugs.then(|| run("Debug".to_string(), DEBUG, sanitized.clone()));
        let observe = |title: &str, command| run(title.to_string(), command, plain.clone());
        let observing = if settings.lenses.profile {
            let on_gpu = if is_cpu { Vec::new() } else { vec![observe("Benchmark", BENCH), observe("Tune", TUNE)] };
            [observe("Profile", PROFILE), observe("Trace", TRACE)].into_iter().chain(on_gpu).collect()
        } else {
            Vec::new()
        };
        let sanitize = run("Run with sanitizer".to_string(), RUN_SANITIZED, sanitized);
        [run(title, RUN, plain.clone()), sanitize].into_iter().chain(debug).chain(observing).collect::<Vec<_>>()
    });
    lenses.collect()
}

/// Whether the user can change a document: it is not a text that the editor generated, such as that of bytecode.
fn is_editable(snapshot: &Snapshot) -> bool {
    ["file:", "untitled:"].iter().any(|scheme| snapshot.uri.as_str().starts_with(scheme))
}
