//! Running a launch: its preconditions, the worker process, and the handling of its events.

pub(crate) mod job;
mod output;
pub(crate) mod warm;

use warm::Warm;

use crate::commands::{RunRequest, refused};
use crate::documents::Snapshot;
use crate::outbox::{Message, Output, Stream};
use crate::progress::Progress;
use crate::run_results::anchor::Anchor;
use crate::run_results::profile::{Line, Profile};
use crate::run_results::{Mark, RunEnd};
use crate::shared::Shared;
use crate::tasks::Stop;
use crate::{checks, text::Text};
use output::Utf8;
use serde_json::{Value, json};
use std::ops::Range;
use std::time::{Duration, Instant};
use tile_analysis::db::{Database, File};
use tile_backend::worker::{Event, Host, Job, Report, WorkerError};
use tile_launch::find::{self, EntryLaunches};
use tile_runner::held::{Held, Source};
use tokio::sync::mpsc;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{MessageType, ProgressToken};

/// How many events may be queued before the worker waits.
const QUEUE: usize = 1024;

/// How many events are handled before other tasks get a turn: a kernel can print without end.
const TOGETHER: usize = 64;

/// The maximum text of one notification, in bytes.
const CHUNK: usize = 64 << 10;

/// How often the editor is asked to refresh the printed text while a kernel runs.
const REFRESH: Duration = Duration::from_millis(200);

/// Runs a launch and returns its result. Dropping the future stops the run.
pub(crate) async fn run(shared: &Shared, request: RunRequest, token: Option<ProgressToken>) -> Result<Value> {
    let Some(snapshot) = shared.documents.get(&request.uri) else {
        return Err(refused("the document is not open".to_string()));
    };
    let settings = shared.settings();
    let (wanted, host) = (request.clone(), job::host(&request, &settings).map_err(refused)?);
    let device = host.target;
    let job = shared.answer(&snapshot.uri, move |db, file, _| job::job(db, file, &wanted, device)).await?;
    let (job, source) = job.unwrap_or_else(|| Err("the document is not open".to_string())).map_err(refused)?;
    let timeout_ms = Some(if request.test { settings.test_timeout } else { job::TIMEOUT });
    let job = Job { timeout_ms, ..job };
    let stop = shared.tasks.begin(&request.uri, request.name(), token.clone());
    let title = format!("Running @{}", request.entry);
    let progress = Progress::begin(shared, token, request.name(), title, true);
    let (sender, mut updates) = mpsc::channel(QUEUE);
    let (work, folder) = (job.clone(), folder(&snapshot));
    let stopper = stop.handle();
    let reach = shared.reach.get().cloned().unwrap_or_default();
    let warm = shared.warm.clone();
    let worker = tokio::task::spawn_blocking(move || {
        let mut work = work;
        job::read_files(&mut work, folder.as_deref(), &reach)?;
        run_in_worker(&work, &host, &warm, &stopper, &sender)
    });
    let mut run = ActiveRun::begin(shared, snapshot, request, job, source);
    while let Some(update) = updates.recv().await {
        run.update(update, &progress);
        for _ in 0..TOGETHER {
            let Ok(update) = updates.try_recv() else { break };
            run.update(update, &progress);
        }
        run.flush();
        // Only this run waits for a client that reads slower than the kernel prints.
        shared.outbox.sent().await;
        shared.backlog.has_room().await;
    }
    let ended = worker.await.map_err(|_| Error::internal_error())?;
    let Some(report) = run.report.take() else {
        return if stop.is_stopped() {
            Ok(json!({ "stopped": true }))
        } else {
            Err(refused(ended.err().unwrap_or_default()))
        };
    };
    if let Ok(Some(recording)) = ended {
        run.hold(recording);
    }
    let failures = output::failures(&report, run.text());
    // The output of a run is sent before its result.
    shared.outbox.sent().await;
    Ok(json!({
        "passed": report.passed(),
        "blocks": report.blocks,
        "seconds": report.seconds,
        "waited": report.waited,
        "verdict": output::verdict(&report),
        "failures": failures,
        "skipped": report.skipped,
    }))
}

/// Runs all launches of a document, one after the other. Returns the results of all.
pub(crate) async fn test_all(shared: &Shared, uri: &str) -> Result<Value> {
    let Some(snapshot) = shared.documents.get(uri) else {
        return Err(refused("the document is not open".to_string()));
    };
    let all = shared.answer(&snapshot.uri, |db, file, _| targets(db, file)).await?.unwrap_or_default();
    let (mut passed, mut skipped, mut results) = (0, 0, Vec::new());
    for (entry, launch) in all {
        let request = RunRequest { test: true, ..RunRequest::new(uri, &entry, launch, true) };
        let (name, launch) = (request.entry.clone(), request.launch.clone());
        let result =
            run(shared, request, None).await.unwrap_or_else(|error| json!({ "passed": false, "error": error.message }));
        if result["skipped"].is_string() {
            skipped += 1
        } else {
            passed += usize::from(result["passed"] == json!(true))
        }
        let is_stopped = result["stopped"] == json!(true);
        results.push(json!({ "entry": name, "launch": launch, "result": result }));
        if is_stopped {
            break;
        }
    }
    let mut summary = format!("{passed} of {} launches passed", results.len());
    if skipped > 0 {
        summary += &format!(", {skipped} skipped");
    }
    shared.outbox.put(Message::ShowUser(MessageType::INFO, summary));
    let failed = results.len() - passed - skipped;
    Ok(json!({ "passed": passed, "failed": failed, "skipped": skipped, "results": results }))
}

/// Every launch of a file that is not for benchmarks: its entry and name.
fn targets(db: &Database, file: File) -> Vec<(String, Option<String>)> {
    let entries = find::find(db, file);
    let of_entry = |entry: &EntryLaunches| {
        let launches = &entry.directives.launches;
        let names = entry.tests().map(|index| tile_launch::name_of(launches, index));
        names.map(|launch| (entry.entry.name.to_string(), launch)).collect::<Vec<_>>()
    };
    entries.iter().flat_map(of_entry).collect()
}

/// Reports the progress of a run.
fn report_progress(progress: &Progress, event: &Event) {
    if let Event::Progress { ended, blocks } = event {
        let percentage = (ended * 100 / (*blocks).max(1)) as u32;
        progress.report(format!("{ended} of {blocks} tile blocks"), Some(percentage));
    }
}

/// The folder that a launch's files are relative to. Untitled documents have none.
pub(crate) fn folder(snapshot: &Snapshot) -> Option<std::path::PathBuf> {
    if !snapshot.uri.as_str().starts_with("file:") {
        return None;
    }
    snapshot.uri.to_file_path()?.parent().map(std::path::Path::to_path_buf)
}

/// Runs the job in a worker: the warm one of this host, or a new one. Returns the report of the recording.
fn run_in_worker(
    job: &Job,
    host: &Host,
    warm: &Warm,
    stop: &Stop,
    sender: &mpsc::Sender<Update>,
) -> std::result::Result<Option<Report>, String> {
    let text = |error: WorkerError| error.to_string();
    let mut idle = warm.take(host);
    loop {
        let is_warm = idle.is_some();
        let mut worker = idle.take().map_or_else(|| host.worker(), Ok).map_err(text)?;
        let killer = worker.killer();
        stop.started(move || killer.kill());
        let mut has_begun = false;
        let report = worker.run(job, |event| {
            has_begun = true;
            // The receiver is dropped when the run is stopped, which also kills the worker.
            let _ = sender.blocking_send(Update::Event(event));
        });
        // A warm worker may have died while it was idle. Then a new one runs the job.
        if is_warm && !has_begun && matches!(report, Err(WorkerError::Ended { .. } | WorkerError::Lost { .. })) {
            continue;
        }
        let report = match report {
            Err(error @ WorkerError::Late { .. }) => {
                let Range { start, end } = job.launch.range;
                Report::late(start as u32..end as u32, &error)
            }
            other => other.map_err(text)?,
        };
        let is_usable = report.is_worker_usable();
        let recording = job::recording(job).filter(|_| is_usable && report.skipped.is_none());
        // The result is shown before the recording.
        let _ = sender.blocking_send(Update::Ended(Box::new(report)));
        // If the recording fails, the run still has a result.
        let recorded = recording.map(|recording| worker.run(&recording, |_| {}));
        let has_failed = matches!(recorded, Some(Err(_)));
        if stop.ended() && is_usable && !has_failed {
            warm.keep(host, worker);
        }
        return Ok(recorded.and_then(std::result::Result::ok));
    }
}

/// An update of a run in a worker.
enum Update {
    Event(Event),
    /// The run has ended. Its values are recorded after that.
    Ended(Box<Report>),
}

/// A run in progress.
struct ActiveRun<'a> {
    shared: &'a Shared,
    /// The document when the run began. Offsets refer to its text.
    snapshot: Snapshot,
    request: RunRequest,
    job: Job,
    source: Source,
    /// The result, as soon as the run has ended.
    report: Option<Box<Report>>,
    printed: Utf8,
    waiting: String,
    refreshed: Instant,
}

impl<'a> ActiveRun<'a> {
    fn begin(shared: &'a Shared, snapshot: Snapshot, request: RunRequest, job: Job, source: Source) -> ActiveRun<'a> {
        shared.documents.with(&request.uri, |document| {
            document.run_results.begin(&request.entry, request.launch.as_deref());
            checks::publish(shared, document);
        });
        let (printed, waiting) = (Utf8::default(), String::new());
        let (report, refreshed) = (None, Instant::now());
        let run = ActiveRun { shared, snapshot, request, job, source, report, printed, waiting, refreshed };
        run.refresh();
        run
    }

    /// The text that the worker's offsets refer to.
    fn text(&self) -> &Text {
        &self.snapshot.text
    }

    fn update(&mut self, update: Update, progress: &Progress) {
        match update {
            Update::Event(Event::Printed { op, text, .. }) => self.printed(op.start, &text, &text),
            Update::Event(Event::Traced(traced)) => {
                let line = self.text().position(traced.range.start).line + 1;
                let shown = output::traced(&traced) + "\n";
                self.printed(
                    traced.range.start,
                    shown.as_bytes(),
                    (traced.line(&format!("line {line}")) + "\n").as_bytes(),
                );
            }
            Update::Event(event) => report_progress(progress, &event),
            Update::Ended(report) => {
                self.end(&report);
                self.report = Some(report);
            }
        }
    }

    /// Adds a text to the line with an offset, and to the output.
    fn printed(&mut self, offset: u32, text: &[u8], output: &[u8]) {
        let anchor = Anchor::new(self.text(), offset);
        let RunRequest { uri, entry, launch, .. } = &self.request;
        self.shared.documents.with(uri, |document| {
            let now = &document.now;
            let anchor = if now.edit == self.snapshot.edit { Some(anchor) } else { anchor.in_later(&now.text) };
            if let Some(anchor) = anchor {
                document.run_results.print(entry, launch.as_deref(), anchor, &String::from_utf8_lossy(text));
            }
        });
        self.waiting += &self.printed.push(output);
        if self.waiting.len() >= CHUNK {
            self.flush();
        }
    }

    /// Sends the printed text, and asks the editor to show it if the last time was long enough ago.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.waiting);
        self.write(Stream::Stdout, text);
        if self.refreshed.elapsed() >= REFRESH {
            self.refresh();
            self.refreshed = Instant::now();
        }
    }

    fn write(&self, stream: Stream, text: String) {
        if text.is_empty() {
            return;
        }
        let RunRequest { uri, entry, launch, .. } = self.request.clone();
        self.shared.outbox.put(Message::Output(Output { uri, entry, launch, stream, text }));
    }

    fn refresh(&self) {
        if self.shared.session().refresh.hints {
            self.shared.outbox.put(Message::RefreshHints);
        }
    }

    /// Stores and reports the result of the run.
    fn end(&mut self, report: &Report) {
        self.waiting += &self.printed.finish();
        self.flush();
        self.write(Stream::Stderr, output::stderr_text(report, self.text(), self.snapshot.uri.as_str()));
        let marks: Vec<Mark> = output::marks(report, self.text());
        let verdict = (Anchor::new(self.text(), self.job.launch.range.start as u32), output::verdict(report));
        let profile = Line::all(&report.profile, self.text());
        let end = Anchor::new(self.text(), self.source.start + self.source.entry.trim_end().len() as u32);
        let held = Held { source: self.source.clone(), values: Vec::new(), buffers: report.buffers.clone(), cut: None };
        let RunRequest { uri, entry, launch, .. } = &self.request;
        self.shared.documents.with(uri, |document| {
            let (edit, now) = (document.now.edit, &document.now.text);
            let (marks, verdict, profile) = if edit == self.snapshot.edit {
                (marks, Some(verdict), Profile::new(profile, end))
            } else {
                let marks = marks.into_iter().filter_map(|mark| mark.in_later(now)).collect();
                let verdict = verdict.0.in_later(now).map(|anchor| (anchor, verdict.1));
                let profile = profile.into_iter().filter_map(|line| line.in_later(now)).collect();
                (marks, verdict, end.in_later(now).and_then(|end| Profile::new(profile, end)))
            };
            let end = RunEnd { marks, verdict, profile, held: Some(held) };
            document.run_results.end(entry, launch.as_deref(), end);
            checks::publish(self.shared, document);
        });
        self.refresh();
    }

    /// Stores what the values held.
    fn hold(&self, recording: Report) {
        let cut = recording.did_not_finish().then(|| job::RECORDING_CUT.to_string());
        let RunRequest { uri, entry, launch, .. } = &self.request;
        self.shared.documents.with(uri, |document| {
            document.run_results.hold(entry, launch.as_deref(), recording.values, cut);
        });
    }
}
