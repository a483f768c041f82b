//! A launch that is about to run: finds it, refuses mistakes, and lowers its program.

use crate::document::Document;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tile_analysis::db::{Database, File};
use tile_analysis::diagnostic::Severity;
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, refusal};
use tile_runner::{Alarm, Events, Outcome, Run, Settings, System, Watching, load};

/// The maximum total size of the buffers in bytes. WebAssembly addresses 4 GiB. Each buffer is stored
/// before, during and after the run, and formulas compute with 8 bytes for each element.
const MAX_BYTES: u64 = 256 << 20;

/// A run of a launch.
pub(crate) struct Job<'a> {
    pub(crate) text: &'a str,
    /// The entry's name, without `@`.
    pub(crate) entry: &'a str,
    pub(crate) launch: &'a Launch,
    pub(crate) files: &'a [(String, Vec<u8>)],
    pub(crate) sanitize: bool,
    pub(crate) watching: &'a Watching,
}

impl Job<'_> {
    /// Runs the launch and checks its expectations.
    pub(crate) fn run(&self, events: &dyn Events) -> Result<Outcome, String> {
        let db = Database::default();
        let file = File::new(&db, Arc::from(self.text), load::options());
        let found = load::entry(&db, file, self.entry);
        let (start, entry) = found.ok_or_else(|| load::unknown_entry(self.entry).message)?;
        let program = Program::of(&db, file);
        let module = program.module();
        let run = Run {
            text: self.text,
            program: &program,
            module: &module,
            entry: &entry.body,
            spans: &entry.spans,
            start,
            launch: self.launch,
            files: self.files,
            settings: Settings {
                sanitize: self.sanitize,
                schedule: None,
                timeout_ms: None,
                max_bytes: MAX_BYTES,
                watching: self.watching,
            },
            system: &Page,
            began: Instant::now(),
        };
        let refused = |error| Outcome { findings: vec![error], ..Outcome::default() };
        Ok(run.complete(events).unwrap_or_else(|error| refused((*error).into())))
    }
}

/// The system of a page: it does not report its memory, and it stops a run by ending the worker that it runs in.
struct Page;

impl System for Page {
    fn free_memory(&self) -> Option<u64> {
        None
    }

    fn alarm(&self, _: Duration, _: Arc<AtomicBool>) -> Box<dyn Alarm> {
        Box::new(NoAlarm)
    }
}

struct NoAlarm;

impl Alarm for NoAlarm {}

/// The entry with this name, and its launch with this number.
pub(crate) fn launch(document: &Document, entry: &str, number: usize) -> Result<(EntryLaunches, Launch), String> {
    let mut entries = find::find(&document.db, document.file).into_iter();
    let found = entries.find(|found| *found.entry.name == *entry);
    let found = found.ok_or_else(|| format!("there is no entry `@{entry}`"))?;
    let launch = found.directives.launches.get(number).cloned();
    let launch = launch.ok_or_else(|| no_launch(&found))?;
    Ok((found, launch))
}

/// The error for an entry without a launch.
pub(crate) fn no_launch(entry: &EntryLaunches) -> String {
    format!("`@{}` has no launch; write one above it: `//@ launch`", entry.entry.name)
}

/// Refuses to run a launch with mistakes, or of an entry with errors.
pub(crate) fn refuse_mistakes(document: &mut Document, entry: &EntryLaunches, launch: &Launch) -> Result<(), String> {
    let found = document.diagnostics(&mut |found| found.severity == Severity::Error);
    refusal(&document.db, document.file, &found, entry, launch).map_or(Ok(()), Err)
}
