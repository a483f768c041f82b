//! The tile viewer: a page that shows the contents of a value, a buffer or an expectation of a launch.

use crate::worker::contents::Viewed;
use crate::worker::{Event, Job, Worker, WorkerError};

pub use tile_runner::viewer::{Viewer, named};

/// The job that reports the contents, without the expectations of the launch that are not viewed.
pub fn viewing(job: Job, view: Viewed, block: Option<[u32; 3]>) -> Job {
    let (launch, watching) = tile_runner::viewer::viewing(job.launch, view, block);
    Job { launch, watching, ..job }
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
