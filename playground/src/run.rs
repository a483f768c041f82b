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
use tile_launch::find::EntryLaunches;
use tile_runner::held::{BufferAt, Held, Source, ValueAt};
use tile_runner::{Event, Events, Watching};

/// How much printed text of an op is reported, in bytes.
const MAX_PRINTED: usize = 32 << 10;

/// What the values held in a run.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct LastRun {
    entry: String,
    launch: Option<String>,
    held: Held,
}

impl LastRun {
    /// Takes what was recorded out of a run of the launch with this number.
    fn of(document: &Document, found: &EntryLaunches, number: usize, ended: &mut tile_runner::Outcome) -> LastRun {
        let launches = &found.directives.launches;
        let source = Source::of(&document.db, document.file, found, &launches[number]);
        let (values, buffers) = (std::mem::take(&mut ended.values), std::mem::take(&mut ended.buffers));
        let held = Held { source, values, buffers, cut: None };
        LastRun { entry: found.entry.name.to_string(), launch: tile_launch::name_of(launches, number), held }
    }

    /// A text from which it can be restored: a character for each byte. JSON has no numbers that are not finite.
    fn stored(&self) -> Result<String, String> {
        let bytes = postcard::to_stdvec(self).map_err(|error| error.to_string())?;
        Ok(bytes.into_iter().map(char::from).collect())
    }

    /// Restores what [`LastRun::stored`] returned.
    pub(crate) fn restored(text: &str) -> Result<LastRun, String> {
        let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
        let bytes = bytes.map_err(|error| error.to_string())?;
        postcard::from_bytes(&bytes).map_err(|error| error.to_string())
    }

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
    /// What the values held, in the form that [`LastRun::restored`] takes.
    run: String,
    /// Whether it contains the values. Without the sanitizer, recording them takes up to 40 times as long as the run,
    /// so that it is another request.
    recorded: bool,
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
    let run = LastRun::of(document, &found, number, &mut ended).stored()?;
    let outcome = outcome::of(&ended, printer.left_out(), &document.offsets);
    Ok(Ended { outcome, run, recorded: sanitize })
}

/// Runs a launch again to record what its values hold. Returns that in the form that [`LastRun::restored`] takes.
pub(crate) fn record(
    document: &mut Document,
    files: &[(String, Vec<u8>)],
    entry: &str,
    number: usize,
) -> Result<String, String> {
    let (found, launch) = job::launch(document, entry, number)?;
    job::refuse_mistakes(document, &found, &launch)?;
    let unchecked = Launch { expects: Vec::new(), ..launch };
    let watching = Watching { buffers: true, values: true, ..Watching::default() };
    let job = Job { text: document.text(), entry, launch: &unchecked, files, sanitize: false, watching: &watching };
    let mut ended = job.run(&Silent)?;
    LastRun::of(document, &found, number, &mut ended).stored()
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
}

/// Reports nothing.
struct Silent;

impl Events for Silent {
    fn send(&self, _: Event) {}
}
