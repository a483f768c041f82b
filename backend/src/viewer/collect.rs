//! Runs a launch to collect the contents for a page.

use super::page::Viewer;
use crate::worker::contents::Viewed;
use crate::worker::trace::{self, Names};
use crate::worker::{Event, Job, Watching, Worker, WorkerError};
use tile_launch::find::EntryLaunches;
use tile_launch::{Launch, Spec};

/// Finds what a name refers to: a buffer of the launch, or else a value of the entry. The error describes a name that has
/// no elements.
pub fn named(entry: &EntryLaunches, text: &str, launch: &Launch, name: &str) -> Result<Viewed, String> {
    let name = name.trim().trim_start_matches('%');
    if launch.arg(name).is_some_and(|arg| matches!(arg.spec, Spec::Buffer { .. })) {
        return Ok(Viewed::Buffer(name.to_string()));
    }
    let name = format!("%{name}");
    if let Some(mistake) = trace::mistake(entry, text, launch.grid, std::slice::from_ref(&name), None) {
        return Err(mistake);
    }
    let values = Names::new(&entry.spans, text, entry.start).values(&name);
    let tile = values.into_iter().find(|value| entry.entry.ty(*value).as_tile().is_some());
    match tile {
        Some(_) => Ok(Viewed::Value(name)),
        None => Err(format!("`{name}` is not a tile or a buffer")),
    }
}

/// The job that reports the contents, without the expectations of the launch that are not viewed.
pub fn viewing(job: Job, view: Viewed, block: Option<[u32; 3]>) -> Job {
    let mut launch = job.launch;
    let view = match view {
        Viewed::Expectation(number) => {
            launch.expects = launch.expects.into_iter().nth(number as usize).into_iter().collect();
            Viewed::Expectation(0)
        }
        other => {
            launch.expects.clear();
            other
        }
    };
    Job { launch, watching: Watching { view: Some(view), block, ..Watching::default() }, ..job }
}

/// Runs a job that views something, and adds the contents to a page. Contents of a run that fails later are kept.
pub fn collect(worker: &mut Worker, job: &Job, viewer: &mut Viewer) -> Result<(), WorkerError> {
    let killer = worker.killer();
    let mut is_full = false;
    let report = worker.run(job, |event| {
        let Event::Contents(contents) = event else { return };
        if !is_full && !viewer.add(*contents) {
            is_full = true;
            // The rest of the run has no use.
            killer.kill();
        }
    });
    report.map(|_| ()).or_else(|error| if is_full { Ok(()) } else { Err(error) })
}
