//! What runs candidates: the CPU engine or a GPU.

use super::Outcome;
use super::work::TimedOn;
use crate::cuda::resources::Resources;
use crate::worker::raw_report::RawReport;

/// Why a candidate could not be run.
pub(super) struct Failure {
    pub(super) message: String,
    /// Whether other candidates can still run.
    pub(super) can_continue: bool,
}

/// Runs candidates, by number, on a device.
pub(super) trait Runner {
    /// The device.
    fn device(&self) -> TimedOn;

    /// What is known about a candidate before it runs: its resources, or the outcome of one that cannot run.
    fn compiled(&self, candidate: usize) -> Result<Option<Resources>, Outcome>;

    /// Runs a candidate once and returns its results.
    fn results(&mut self, candidate: usize) -> Result<RawReport, Failure>;

    /// Runs a candidate on restored buffers and returns the time in seconds.
    fn sample(&mut self, candidate: usize) -> Result<f64, Failure>;
}
