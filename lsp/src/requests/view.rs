//! `tile/view`: a page that shows the elements of a value, a buffer or an expectation of a launch, for editors that can
//! show HTML. The request runs the launch.

use super::pages::Page;
use crate::commands::{RunRequest, refused};
use crate::documents::Snapshot;
use crate::run;
use crate::settings::CPU;
use crate::shared::Shared;
use serde::Deserialize;
use tile_analysis::db::{Database, File};
use tile_backend::viewer::{self, Viewer};
use tile_backend::worker::recorded::Execution;
use tile_backend::worker::{Job, Target};
use tile_launch::find::{self, EntryLaunches};
use tile_runner::viewer::viewed_at;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Position, TextDocumentIdentifier};

/// The time limit of the run, in milliseconds.
const TIMEOUT: u64 = 60_000;

/// The parameters: a position of a value, a buffer or an expectation, or their names.
#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ViewParams {
    text_document: TextDocumentIdentifier,
    #[serde(default)]
    position: Position,
    /// The entry, without `@`; defaults to the one at the position.
    #[serde(default)]
    entry: Option<String>,
    /// The name of the launch; defaults to the one at the position, the last one that ran, or the first one.
    #[serde(default)]
    launch: Option<String>,
    /// The value or buffer; defaults to the one at the position.
    #[serde(default)]
    value: Option<String>,
    /// The execution to show first.
    #[serde(default)]
    at: Option<Execution>,
}

/// Runs the launch and returns the page. The error says why there is none. Dropping the future stops the run.
pub(crate) async fn handle(shared: &Shared, params: ViewParams) -> Result<Option<Page>> {
    if !shared.session().trusted {
        return Err(refused("kernels run only in a trusted workspace".to_string()));
    }
    let uri = params.text_document.uri.clone();
    let last = shared.documents.with(uri.as_str(), |document| document.run_results.launches()).unwrap_or_default();
    let found = shared.answer(&uri, move |db, file, snapshot| wanted(db, file, snapshot, &params, &last)).await?;
    let Some(found) = found else { return Ok(None) };
    let (mut job, viewer) = found.map_err(refused)?;
    let Some(snapshot) = shared.documents.get(uri.as_str()) else { return Ok(None) };
    let request =
        RunRequest { target: Some(CPU.to_string()), ..RunRequest::new(uri.as_str(), &job.entry, None, false) };
    let host = run::job::host(&request, &shared.settings()).map_err(refused)?;
    let stop = shared.tasks.begin(uri.as_str(), format!("tile/view {}", uri.as_str()), None);
    let (stopper, warm, folder) = (stop.handle(), shared.warm.clone(), run::folder(&snapshot));
    let reach = shared.reach.get().cloned().unwrap_or_default();
    let work = tokio::task::spawn_blocking(move || {
        let (mut viewer, text) = (viewer, |error: tile_backend::worker::WorkerError| error.to_string());
        run::job::read_files(&mut job, folder.as_deref(), &reach)?;
        let mut worker = warm.take(&host).map_or_else(|| host.worker(), Ok).map_err(text)?;
        let killer = worker.killer();
        stopper.started(move || killer.kill());
        viewer::collect(&mut worker, &job, &mut viewer).map_err(text)?;
        // Collecting kills the worker when the page is full.
        if stopper.ended() && !viewer.is_cut() {
            warm.keep(&host, worker);
        }
        let html = viewer.page().ok_or_else(|| viewer.nothing())?;
        Ok(Page::new(format!("{} in {}", viewer.name, viewer.title), html))
    });
    work.await.map_err(|_| Error::internal_error())?.map_err(refused).map(Some)
}

/// The job that reports the contents, and the page without them.
fn wanted(
    db: &Database,
    file: File,
    snapshot: &Snapshot,
    params: &ViewParams,
    last: &[(String, Option<String>)],
) -> std::result::Result<(Job, Viewer), String> {
    let offset = snapshot.text.offset(params.position);
    let entry = match &params.entry {
        Some(name) => find::find(db, file).into_iter().find(|entry| *entry.entry.name == **name),
        None => find::near(db, file, offset),
    };
    let entry = entry.ok_or("there is no entry at this position")?;
    let launches = &entry.directives.launches;
    let index = launch_index(&entry, params.launch.as_deref(), offset, last)
        .ok_or_else(|| format!("`@{}` has no launch; write one above it: `//@ launch`", entry.entry.name))?;
    let launch = &launches[index];
    let (name, view) = match &params.value {
        Some(name) => (name.clone(), viewer::named(&entry, file.text(db), launch, name)?),
        None => viewed_at(db, file, &entry, launch, offset)?,
    };
    let name_of_launch = tile_launch::name_of(launches, index);
    let request = RunRequest::new(snapshot.uri.as_str(), &entry.entry.name, name_of_launch, false);
    let (job, _) = run::job::job(db, file, &request, Target::Cpu)?;
    let mut viewer = Viewer::new(name, entry.title(Some(launch)), launch.grid);
    viewer.at = params.at.clone();
    let job = Job { sanitize: false, timeout_ms: Some(TIMEOUT), ..viewer::viewing(job, view, None) };
    Ok((job, viewer))
}

/// The launch with a name; or else the one at an offset, the last one that ran, or the first one.
fn launch_index(
    entry: &EntryLaunches,
    name: Option<&str>,
    offset: u32,
    last: &[(String, Option<String>)],
) -> Option<usize> {
    let launches = &entry.directives.launches;
    let named = |name: Option<&str>| {
        (0..launches.len()).find(|&index| tile_launch::name_of(launches, index).as_deref() == name)
    };
    if name.is_some() {
        return named(name);
    }
    let here = launches.iter().position(|launch| launch.range.contains(&(offset as usize)));
    let ran = last.iter().rfind(|(name, _)| **name == *entry.entry.name).map(|(_, launch)| launch.as_deref());
    here.or_else(|| named(ran?)).or_else(|| (!launches.is_empty()).then_some(0))
}
