//! The client's side of a measurement.

use super::{BenchEvent, BenchJob, BenchReport};
use crate::worker::client::GRACE;
use crate::worker::killer::Deadline;
use crate::worker::protocol::{Event, Request};
use crate::worker::{Worker, WorkerError};
use std::io;
use std::time::Duration;

/// The time in which a worker must report progress while no kernel runs: preparing large buffers can take long.
const SILENCE: Duration = Duration::from_secs(600);

impl Worker {
    /// Measures candidates, and calls `events` as events arrive. The inner error is about the machine or the arguments.
    /// The worker cannot be used after an outer error.
    pub fn bench(
        &mut self,
        job: &BenchJob,
        mut events: impl FnMut(BenchEvent),
    ) -> Result<Result<BenchReport, String>, WorkerError> {
        let of_runs = job.candidates.first().and_then(|job| job.timeout_ms).map_or(SILENCE, Duration::from_millis);
        let mut limit = SILENCE;
        let deadline = Deadline::start(self.killer(), limit.saturating_add(GRACE));
        let mut doing = "preparing the buffers".to_string();
        if let Err(error) = self.request(&Request::Bench(Box::new(job.clone()))) {
            return match error.kind() {
                io::ErrorKind::InvalidInput => Err(WorkerError::Talk(error)),
                _ => Err(self.ended("reading its job".to_string())),
            };
        }
        let outcome = loop {
            match self.next_event(|| doing.clone()) {
                Ok(Event::Benched(result)) => break Ok(result),
                Ok(Event::Bench(event)) => {
                    limit = if runs_kernels(&event) { of_runs } else { SILENCE };
                    deadline.restart(limit.saturating_add(GRACE));
                    doing = activity(&event);
                    events(event);
                }
                Ok(_) => break Err(WorkerError::Talk(io::ErrorKind::InvalidData.into())),
                Err(error) => break Err(error),
            }
        };
        if deadline.has_killed() { Err(WorkerError::Late { limit }) } else { outcome }
    }
}

/// Whether the worker runs kernels after an event.
fn runs_kernels(event: &BenchEvent) -> bool {
    matches!(event, BenchEvent::Running(_) | BenchEvent::Round { .. })
}

/// What a worker does after an event.
fn activity(event: &BenchEvent) -> String {
    match event {
        BenchEvent::Prepared | BenchEvent::Compiled(_) => "compiling the candidates".to_string(),
        BenchEvent::Ready(_) => "starting the first candidate".to_string(),
        BenchEvent::Running(index) => format!("running candidate {}", index + 1),
        BenchEvent::Checking(index) => format!("checking the results of candidate {}", index + 1),
        BenchEvent::Round { .. } => "timing the candidates".to_string(),
        BenchEvent::Timed => "counting what the candidates do".to_string(),
    }
}
