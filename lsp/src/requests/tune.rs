//! The command that searches for the fastest hints of a kernel: the search runs on a thread, its steps are shown as
//! progress, and the result is a table. If the user agrees, the client writes the winner's hints into the program.
//! Without a GPU to measure on, candidates are ranked by the resources of their code for the GPU of the settings.

use crate::commands::{RunRequest, ShowRequest, refused};
use crate::edits::{previewed, workspace_edit};
use crate::outbox::Message;
use crate::progress::Progress;
use crate::run::{self, job};
use crate::settings::Settings;
use crate::shared::Shared;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::Edit;
use tile_backend::cuda::compiler::Compiler;
use tile_backend::worker::{Host, HostEvent, Job, Target};
use tile_dialect::Gpu;
use tile_input::Reach;
use tile_launch::find;
use tile_tune::journal::Journal;
use tile_tune::machines::{Machines, Update};
use tile_tune::ranking::Ranking;
use tile_tune::report::Report;
use tile_tune::tuning::{Tuning, Watcher};
use tile_tune::variant::Variant;
use tokio::sync::mpsc;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{MessageActionItem, MessageType, ProgressToken};

/// Why nothing can be tuned.
const NEEDS_GPU: &str = "tuning needs a GPU: choose one as the target of kernels, or name one in the setting \
    `tile.build.gpu` to rank hints by the resources of the compiled code";

/// The answer with which hints are written.
const WRITE: &str = "Write hints";

/// The time for each candidate in seconds.
const SECONDS: f64 = 0.25;

/// The time limit of each run of a candidate, in milliseconds.
const TIMEOUT: u64 = 60_000;

/// Where candidates are tried.
enum Place {
    /// They are measured on a GPU.
    Measured(Host),
    /// They are compiled for a GPU.
    Compiled(Gpu),
}

impl Place {
    fn of(request: &RunRequest, settings: &Settings) -> std::result::Result<Place, String> {
        let host = job::host(request, settings)?;
        match host.target {
            Target::Cuda(_) => Ok(Place::Measured(host)),
            Target::Cpu => settings.chosen_gpu().map(Place::Compiled).ok_or_else(|| NEEDS_GPU.to_string()),
        }
    }
}

/// Tunes a launch: the requested one, or the first one for benchmarks. Answers with the table, the
/// result in one line, and whether the hints were written. Dropping the future stops the search.
pub(crate) async fn tune(shared: &Shared, request: RunRequest, token: Option<ProgressToken>) -> Result<Value> {
    let Some(snapshot) = shared.documents.get(&request.uri) else {
        return Err(refused("the document is not open".to_string()));
    };
    let place = Place::of(&request, &shared.settings()).map_err(refused)?;
    let wanted = request.clone();
    let found = shared.answer(&snapshot.uri, move |db, file, _| variant(db, file, &wanted)).await?;
    let variant = found.unwrap_or_else(|| Err("the document is not open".to_string())).map_err(refused)?;
    let name = format!("tile.tune {} @{}", request.uri, request.entry);
    let task = shared.tasks.begin(&request.uri, name.clone(), token.clone());
    let progress = Progress::begin(shared, token, name, format!("Tuning @{}", request.entry), true);
    let (sender, mut updates) = mpsc::unbounded_channel();
    let (handle, folder) = (task.handle(), run::folder(&snapshot));
    let reach = shared.reach.get().cloned().unwrap_or_default();
    let mut search = Work { variant, folder, reach, updates: sender };
    let searching = tokio::task::spawn_blocking(move || match place {
        Place::Measured(host) => {
            let machines = Machines::alike(vec![host]);
            let stopper = machines.stopper();
            handle.started(move || stopper.stop());
            search.measured(machines)
        }
        Place::Compiled(gpu) => {
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = stop.clone();
            handle.started(move || stopped.store(true, Ordering::Relaxed));
            search.ranked(gpu, &stop)
        }
    });
    while let Some(update) = updates.recv().await {
        progress.report(update, None);
    }
    let found = searching.await.map_err(|_| Error::internal_error())?;
    if task.is_stopped() {
        return Ok(json!({ "stopped": true }));
    }
    let Found { table, result, edits } = found.map_err(refused)?;
    let shown = ShowRequest { uri: request.uri, gpu: None, show: true };
    shared.show(&shown, "tuning.txt", table.clone())?;
    let session = shared.session();
    let writes = !edits.is_empty() && session.applies_edits && agrees(shared, &result).await;
    if writes {
        // For the version that was tuned, so that the client refuses it if the text has changed.
        let edit = previewed(workspace_edit(&edits, &snapshot, &session), "Write hints", &session);
        shared.outbox.put(Message::ApplyEdit(edit));
    }
    Ok(json!({ "table": table, "result": result, "written": writes }))
}

/// Asks the user whether the hints shall be written.
async fn agrees(shared: &Shared, result: &str) -> bool {
    let action = |title: &str| MessageActionItem { title: title.to_string(), properties: HashMap::new() };
    let question = format!("{result}. Write the hints into the program?");
    let actions = vec![action(WRITE), action("Cancel")];
    let answer = shared.client.show_message_request(MessageType::INFO, question, Some(actions)).await;
    answer.is_ok_and(|chosen| chosen.is_some_and(|chosen| chosen.title == WRITE))
}

/// The entry and the launch to tune, without the files that the launch reads.
fn variant(db: &Database, file: File, request: &RunRequest) -> std::result::Result<Variant, String> {
    let entries = find::find(db, file);
    let entry = entries.iter().find(|entry| *entry.entry.name == *request.entry);
    let timed = entry.and_then(|entry| tile_launch::name_of(&entry.directives.launches, *entry.timed().first()?));
    let request = RunRequest { launch: request.launch.clone().or(timed), ..request.clone() };
    let (job, _) = job::job(db, file, &request, Target::Cuda(0))?;
    let entry = entry.ok_or_else(|| format!("there is no entry `@{}`", request.entry))?;
    let job = Job { timeout_ms: Some(TIMEOUT), watching: Default::default(), ..job };
    Ok(Variant::new(format!("@{}", request.entry), entry, job))
}

/// A search on a thread.
struct Work {
    variant: Variant,
    folder: Option<PathBuf>,
    reach: Reach,
    updates: mpsc::UnboundedSender<String>,
}

/// The result of a search.
struct Found {
    table: String,
    /// The conclusion in one line.
    result: String,
    edits: Vec<Edit>,
}

impl Work {
    /// Measures candidates.
    fn measured(&mut self, mut machines: Machines) -> std::result::Result<Found, String> {
        job::read_files(&mut self.variant.job, self.folder.as_deref(), &self.reach)?;
        let device = machines.device(&mut |update| {
            if let Update::Host(host, event) = update {
                self.host(&host, &event);
            }
        })?;
        let variants = [self.variant.clone()];
        let tuning = Tuning { variants: &variants, device: &device, seconds: SECONDS, max_time: None::<Duration> };
        let mut journal = Journal::open(&variants, &device, SECONDS, false);
        let search = tuning.run(&mut machines, &mut journal, self)?;
        let report = Report { variants: &variants, device: &device, search: &search };
        let mut lines = report.table();
        lines.extend(report.conclusion());
        for (row, old, new) in report.changed_lines() {
            lines.extend([String::new(), format!("{row:>5} -{old}"), format!("{row:>5} +{new}")]);
        }
        Ok(Found { table: lines.join("\n") + "\n", result: report.conclusion().join("; "), edits: report.edits() })
    }

    /// Ranks candidates by the resources of their code.
    fn ranked(&mut self, gpu: Gpu, stop: &AtomicBool) -> std::result::Result<Found, String> {
        let compiler = Compiler::find().map_err(|error| error.to_string())?;
        let variants = [self.variant.clone()];
        let ranking = Ranking::new(&variants, gpu.name(), &compiler, self, stop)?;
        let result = format!("ranked by the resources of the code for {}, not measured", gpu.name());
        Ok(Found { table: ranking.table().join("\n") + "\n", result, edits: Vec::new() })
    }
}

impl Watcher for Work {
    fn progress(&mut self, text: String) {
        // The receiver is gone if the search was stopped.
        let _ = self.updates.send(text);
    }

    fn step(&mut self, text: String) {
        self.progress(text);
    }

    fn host(&mut self, host: &Host, event: &HostEvent) {
        if let HostEvent::Waiting(line) = event {
            self.progress(format!("waiting for `{host}`: {}", line.as_deref().unwrap_or("no answer yet")));
        }
    }
}
