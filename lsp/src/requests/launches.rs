//! `tile/launches`: the entries of a document and the launches above them, for editors that list tests.

use crate::documents::Snapshot;
use crate::shared::Shared;
use serde::{Deserialize, Serialize};
use tile_launch::Launch;
use tile_launch::find::{self, EntryLaunches};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Range, TextDocumentIdentifier};

/// The parameters: a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LaunchesParams {
    text_document: TextDocumentIdentifier,
}

/// An entry that has launches.
#[derive(Serialize)]
pub(crate) struct Entry {
    /// Its name, without `@`.
    entry: String,
    /// The location of its name.
    range: Range,
    launches: Vec<Listed>,
}

/// A launch. With the name of its entry, these are the arguments of `tile.run`.
#[derive(Serialize)]
struct Listed {
    launch: Option<String>,
    /// Its first line.
    range: Range,
    grid: [u32; 3],
    /// The locations of its expectations.
    expectations: Vec<Range>,
}

pub(crate) async fn handle(shared: &Shared, params: LaunchesParams) -> Result<Option<Vec<Entry>>> {
    shared
        .answer(&params.text_document.uri, |db, file, snapshot| {
            let has_tests = |entry: &&EntryLaunches| entry.tests().next().is_some();
            find::find(db, file).iter().filter(has_tests).map(|entry| of_entry(entry, snapshot)).collect()
        })
        .await
}

fn of_entry(entry: &EntryLaunches, snapshot: &Snapshot) -> Entry {
    let launches = &entry.directives.launches;
    Entry {
        entry: entry.entry.name.to_string(),
        range: snapshot.text.range(&entry.name),
        launches: entry.tests().map(|index| of_launch(launches, index, snapshot)).collect(),
    }
}

fn of_launch(launches: &[Launch], index: usize, snapshot: &Snapshot) -> Listed {
    let launch = &launches[index];
    let place = |range: std::ops::Range<usize>| snapshot.text.range(&(range.start as u32..range.end as u32));
    Listed {
        launch: tile_launch::name_of(launches, index),
        range: snapshot.rest_of_line(launch.range.start as u32),
        grid: launch.grid,
        expectations: launch.expects.iter().map(|expect| place(expect.range())).collect(),
    }
}
