//! The items and events of a pool.

use super::super::error::WorkerError;
use super::super::host::Host;
use super::super::protocol::{Job, Report};
use std::time::Duration;

/// How often a job runs whose workers are lost.
pub(super) const MAX_TRIES: usize = 3;

/// An item in a queue, with its job, if it has one.
pub type Queued<T, J = Job> = (T, Option<J>);

/// The result of an item.
#[derive(Debug)]
pub enum Outcome<R = Box<Report>> {
    /// The item has no job.
    NoJob,
    /// The job has ended on this host, at this try.
    Ended {
        /// The host.
        host: Host,
        /// How often the job was started.
        tries: usize,
        /// Its result.
        result: Result<R, WorkerError>,
    },
    /// The job was not run, because no host is left.
    NotRun,
}

/// An event of a pool.
#[derive(Debug)]
pub enum PoolEvent<T, R = Box<Report>> {
    /// An item is done.
    Done(T, Outcome<R>),
    /// Something happened on a host.
    Host(Host, HostEvent),
}

/// An event on a host.
#[derive(Debug)]
pub enum HostEvent {
    /// The launcher has not started a worker yet. This is the last line that it printed, if any.
    Waiting(Option<String>),
    /// A worker has started.
    Started,
    /// A worker has not started. Another attempt follows after this time, or none.
    NotStarted(WorkerError, Option<Duration>),
    /// A worker was lost. Its job runs again.
    Lost(WorkerError),
    /// The host is not used any more, because no worker starts there.
    GivenUp {
        /// The number of jobs that were lost there and run again.
        lost: usize,
    },
}

/// An event with the number of its item.
pub(super) enum Numbered<T, R> {
    Done(usize, T, Outcome<R>),
    Host(Host, HostEvent),
}
