//! What the workers of a pool do.

use super::super::client::Worker;
use super::super::error::WorkerError;
use super::super::host::Host;
use super::super::protocol::{Job, Report, Target};

/// What the workers of a pool do.
pub trait Service: Sync {
    /// A job for one worker.
    type Job: Send;
    /// The result of a job.
    type Report: Send;

    /// Checks a worker that has started on a host. After an error, the worker is not used.
    fn check(&self, worker: &mut Worker, host: &Host) -> Result<(), WorkerError> {
        let _ = (worker, host);
        Ok(())
    }

    /// Runs a job with a worker on a host. Also returns whether the worker can be used again. If the worker is lost,
    /// the job runs again, unless this is the last try.
    fn run(
        &self,
        job: &mut Self::Job,
        worker: &mut Worker,
        host: &Host,
        is_last_try: bool,
    ) -> Result<(Self::Report, bool), WorkerError>;
}

/// Runs launches, on the target of the host.
pub(super) struct Launches;

impl Service for Launches {
    type Job = Job;
    type Report = Box<Report>;

    fn run(
        &self,
        job: &mut Job,
        worker: &mut Worker,
        host: &Host,
        _: bool,
    ) -> Result<(Box<Report>, bool), WorkerError> {
        job.target = host.target;
        // Only the CPU engine has a sanitizer.
        job.sanitize &= host.target == Target::Cpu;
        let report = worker.run(job, |_| {})?;
        let is_usable = report.is_worker_usable();
        Ok((Box::new(report), is_usable))
    }
}
