//! A launch that is about to run: finds it, refuses mistakes, and lowers its program.

use crate::document::Document;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tile_analysis::db::{self, Database, File};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_launch::find::{self, EntryLaunches};
use tile_launch::{Launch, bind};
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
    let launch = launch.ok_or_else(|| format!("`@{entry}` has no launch; write one above it: `//@ launch`"))?;
    Ok((found, launch))
}

/// Refuses to run an entry with errors, or with mistakes in its directives. Errors in other entries do not matter.
pub(crate) fn refuse_mistakes(document: &mut Document, entry: &EntryLaunches, launch: &Launch) -> Result<(), String> {
    let mistake = entry.directives.errors_in(launch).next().cloned();
    if let Some(mistake) = mistake.or_else(|| bind::misfits(entry.kernels(launch), launch).into_iter().next()) {
        return Err(mistake.to_string());
    }
    let found = document.diagnostics();
    let (db, file) = (&document.db, document.file);
    let concerns = |found: &&Diagnostic| {
        let inside = db::layout(db, file).at(db, found.range.start);
        inside.is_none_or(|(_, item)| db::lowered(db, item, file).body.name == entry.entry.name)
    };
    match found.iter().filter(|found| found.is_error_everywhere()).find(concerns) {
        Some(error) => Err(format!("`@{}` has an error: {}", entry.entry.name, error.message)),
        None => Ok(()),
    }
}
