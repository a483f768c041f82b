//! Pages about the entry or the launch at a position: its data flow, its accesses, and the elements of a value.

use crate::document::Document;
use crate::job::{self, Job};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use tile_runner::viewer::{Viewer, viewed_at, viewing};
use tile_runner::{EntryAt, Event, Events};

/// A page.
#[derive(Serialize, Debug)]
pub(crate) struct Page {
    title: String,
    html: String,
}

/// The data flow graph of the entry at a position.
pub(crate) fn graph(document: &Document, at: u32) -> Result<Page, String> {
    let entry = entry(document, at)?;
    Ok(Page { title: format!("Data flow of {}", entry.title()), html: entry.graph() })
}

/// The accesses of the launch at a position.
pub(crate) fn accesses(document: &Document, at: u32) -> Result<Page, String> {
    let entry = entry(document, at)?;
    let html = entry.accesses().ok_or_else(|| job::no_launch(&entry.found))?;
    Ok(Page { title: format!("Accesses of {}", entry.title()), html })
}

/// The elements of the value, buffer or expectation at a position. Runs the launch.
pub(crate) fn view(document: &mut Document, files: &[(String, Vec<u8>)], at: u32) -> Result<Page, String> {
    let offset = document.byte(at);
    let entry = entry(document, at)?;
    let (title, launch) = (entry.title(), entry.launch().cloned());
    let found = entry.found;
    let launch = launch.ok_or_else(|| job::no_launch(&found))?;
    job::refuse_mistakes(document, &found, &launch)?;
    let (name, view) = viewed_at(&document.db, document.file, &found, &launch, offset)?;
    let collector = Collector(Mutex::new(Viewer::new(name.clone(), title.clone(), launch.grid)));
    let (launch, watching) = viewing(launch, view, None);
    let entry = &found.entry.name;
    let job = Job { text: document.text(), entry, launch: &launch, files, sanitize: false, watching: &watching };
    job.run(&collector)?;
    let viewer = collector.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let html = viewer.page().ok_or_else(|| viewer.nothing())?;
    Ok(Page { title: format!("{name} in {title}"), html })
}

fn entry(document: &Document, at: u32) -> Result<EntryAt<'_>, String> {
    let found = EntryAt::find(&document.db, document.file, document.byte(at));
    found.ok_or_else(|| "there is no entry at this position".to_string())
}

/// Collects the contents of a page. Those beyond its limit are dropped.
struct Collector(Mutex<Viewer>);

impl Events for Collector {
    fn send(&self, event: Event) {
        if let Event::Contents(contents) = event {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).add(*contents);
        }
    }
}
