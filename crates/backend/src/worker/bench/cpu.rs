//! Runs candidates on the CPU engine.

use super::Outcome;
use super::runner::{Failure, Runner};
use super::work::TimedOn;
use crate::cuda::bench::Rates;
use crate::cuda::resources::Resources;
use crate::worker::event_sink::EventSink;
use crate::worker::raw_report::RawReport;
use crate::worker::requests::Requests;
use crate::worker::run::JobRun;
use tile_launch::Value;

/// The CPU engine.
pub(super) struct Engine<'a> {
    pub(super) runs: &'a [JobRun<'a>],
    /// The arguments.
    pub(super) before: &'a [(String, Value)],
    pub(super) requests: &'a Requests,
}

impl Runner for Engine<'_> {
    fn device(&self) -> TimedOn {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let plural = if cores == 1 { "" } else { "s" };
        let name = format!("CPU engine, {cores} core{plural}");
        TimedOn { name, architecture: String::new(), rates: Rates::default() }
    }

    fn compiled(&self, _: usize) -> Result<Option<Resources>, Outcome> {
        Ok(None)
    }

    fn results(&mut self, candidate: usize) -> Result<RawReport, Failure> {
        let mut ignored = |_| {};
        Ok(self.runs[candidate].on_cpu(self.before, self.requests, &EventSink::new(&mut ignored)))
    }

    fn sample(&mut self, candidate: usize) -> Result<f64, Failure> {
        let report = self.results(candidate)?;
        match report.found.into_iter().next() {
            Some(found) => Err(Failure { message: found.message, can_continue: true }),
            None => Ok(report.seconds),
        }
    }
}
