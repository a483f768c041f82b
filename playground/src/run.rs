//! Runs a launch, and keeps what its values held for hovers.

use crate::document::Document;
use crate::job::{self, Job};
use crate::offsets::Offsets;
use crate::outcome::{self, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tile_analysis::render::escape;
use tile_launch::Launch;
use tile_runner::held::{BufferAt, Held, Source, ValueAt};
use tile_runner::{Event, Events, Watching};

/// How much printed text of an op is reported, in bytes.
const MAX_PRINTED: usize = 32 << 10;

/// Values are recorded in a second run if the first one took at most so many seconds. Recording takes up to 40 times as
/// long, and nothing can stop it but the end of the worker.
const QUICK: f64 = 0.05;

/// What the values held in a run.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Ran {
    entry: String,
    launch: Option<String>,
    held: Held,
}

impl Ran {
    /// What the value or the buffer at an offset held, in Markdown.
    pub(crate) fn held_at(&self, document: &Document, offset: u32) -> Option<String> {
        let (db, file) = (&document.db, document.file);
        if let Some(at) = BufferAt::find(db, file, offset) {
            return (at.entry == self.entry && at.launch == self.launch).then(|| self.held.buffer(&at))?;
        }
        let (entry, at) = ValueAt::find(db, file, offset)?;
        (entry == self.entry).then(|| self.held.value(&at, self.launch.as_deref()))?
    }
}

/// A run that has ended.
#[derive(Serialize, Debug)]
pub(crate) struct Ended {
    outcome: Outcome,
    ran: Ran,
}

/// Runs a launch. `events` receives printed text as JSON: `{"printed": …, "at": …}`.
pub(crate) fn run(
    document: &mut Document,
    files: &[(String, Vec<u8>)],
    entry: &str,
    number: usize,
    sanitize: bool,
    events: &(dyn Fn(&str) + Sync),
) -> Result<Ended, String> {
    let (found, launch) = job::launch(document, entry, number)?;
    job::refuse_mistakes(document, &found, &launch)?;
    let sanitize = sanitize || launch.expects_error();
    // A sanitized run observes every op, so that recording costs little more.
    let watching = Watching { buffers: true, values: sanitize, ..Watching::default() };
    let job = Job { text: document.text(), entry, launch: &launch, files, sanitize, watching: &watching };
    let printer = Printer::new(&document.offsets, events);
    let mut ended = job.run(&printer)?;
    if !sanitize && ended.seconds <= QUICK && ended.findings.is_empty() {
        let (launch, watching) = recording(&launch);
        let job = Job { launch: &launch, watching: &watching, sanitize: false, ..job };
        ended.values = job.run(&Silent)?.values;
    }
    let source = Source::of(&document.db, document.file, &found, &launch);
    let (values, buffers) = (std::mem::take(&mut ended.values), std::mem::take(&mut ended.buffers));
    let name = tile_launch::name_of(&found.directives.launches, number);
    let held = Held { source, values, buffers, cut: None };
    let ran = Ran { entry: entry.to_string(), launch: name, held };
    Ok(Ended { outcome: outcome::of(&ended, printer.left_out(), &document.offsets), ran })
}

/// The launch that records values.
fn recording(launch: &Launch) -> (Launch, Watching) {
    let launch = Launch { expects: Vec::new(), ..launch.clone() };
    (launch, Watching { values: true, ..Watching::default() })
}

/// Reports printed text, up to a limit for each op.
struct Printer<'a> {
    offsets: &'a Offsets,
    events: &'a (dyn Fn(&str) + Sync),
    /// How many bytes each op has printed, by its offset.
    printed: Mutex<HashMap<u32, usize>>,
}

impl<'a> Printer<'a> {
    fn new(offsets: &'a Offsets, events: &'a (dyn Fn(&str) + Sync)) -> Printer<'a> {
        Printer { offsets, events, printed: Mutex::default() }
    }

    /// The ops that printed more than was reported, by their positions, and how many bytes more.
    fn left_out(&self) -> Vec<(u32, usize)> {
        let printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let more = printed.iter().filter(|(_, count)| **count > MAX_PRINTED);
        more.map(|(&op, count)| (self.offsets.units(op), count - MAX_PRINTED)).collect()
    }
}

impl Events for Printer<'_> {
    fn send(&self, event: Event) {
        let Event::Printed { op, text, .. } = event else { return };
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let count = printed.entry(op.start).or_default();
        let left = MAX_PRINTED.saturating_sub(*count);
        *count += text.len();
        if left > 0 {
            let shown = String::from_utf8_lossy(&text[..text.len().min(left)]);
            let event = json!({ "printed": escape(&shown), "at": self.offsets.units(op.start) });
            (self.events)(&event.to_string());
        }
    }

    fn during(&self, _: &tile_engine::Options, work: &mut dyn FnMut()) {
        work();
    }
}

/// Reports nothing.
struct Silent;

impl Events for Silent {
    fn send(&self, _: Event) {}

    fn during(&self, _: &tile_engine::Options, work: &mut dyn FnMut()) {
        work();
    }
}
