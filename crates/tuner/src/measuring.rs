//! How a worker measures the candidates of a part.

use crate::device::Device;
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use tile_backend::worker::bench::{BenchEvent, BenchJob, BenchReport, Outcome};
use tile_backend::worker::{Host, PoolEvent, Service, Worker, WorkerError};

/// Candidates that one worker measures in turns.
#[derive(Debug)]
pub(crate) struct Part {
    /// The number of the part.
    pub(crate) number: usize,
    /// Its candidates, by their numbers in the part.
    pub(crate) candidates: Vec<usize>,
}

/// The result of a measurement. The error is about the arguments.
pub(crate) type PartReport = Result<BenchReport, String>;

/// A message of the pool.
pub(crate) enum Message {
    Progress(BenchEvent),
    Pool(PoolEvent<Part, PartReport>),
}

/// The service of the pool.
pub(crate) struct Measuring {
    /// The GPU of all machines, if it must be the same: that of the first worker.
    pub(crate) device: Option<Arc<OnceLock<Device>>>,
    pub(crate) messages: Sender<Message>,
}

impl Service for Measuring {
    type Job = BenchJob;
    type Report = PartReport;

    fn check(&self, worker: &mut Worker, host: &Host) -> Result<(), WorkerError> {
        let Some(known) = &self.device else { return Ok(()) };
        let device = Device::of(&worker.inspect_machine()?, host.target).map_err(WorkerError::Unsuitable)?;
        let first = known.get_or_init(|| device.clone());
        let differs =
            || format!("all targets must have the same GPU and compiler, but one is {first} and one {device}");
        if *first == device { Ok(()) } else { Err(WorkerError::Unsuitable(differs())) }
    }

    /// A candidate that breaks its worker has failed, and the others that were ready have not run. A loss is the fault
    /// of the candidate that was running if it happens again and again.
    fn run(
        &self,
        job: &mut BenchJob,
        worker: &mut Worker,
        host: &Host,
        is_last_try: bool,
    ) -> Result<(PartReport, bool), WorkerError> {
        job.candidates.iter_mut().for_each(|candidate| candidate.target = host.target);
        if job.candidates.is_empty() {
            return Ok((Ok(BenchReport::default()), true));
        }
        let (mut ready, mut running) = (Vec::new(), None);
        let outcome = worker.bench(job, |event| {
            if let BenchEvent::Ready(known) = &event {
                ready.clone_from(known);
            }
            running = match event {
                BenchEvent::Running(index) | BenchEvent::Checking(index) => Some(index),
                _ => None,
            };
            // The receiver is gone if nobody waits for the result.
            let _ = self.messages.send(Message::Progress(event));
        });
        match (outcome, running) {
            (Ok(Ok(report)), _) => {
                let is_usable = !report.ends_worker;
                Ok((Ok(report), is_usable))
            }
            (Ok(Err(why)), _) => Ok((Err(why), false)),
            (Err(error), Some(culprit)) if is_last_try || !error.is_loss() => {
                if let Some(culprit) = ready.get_mut(culprit) {
                    culprit.outcome = Outcome::Failed(error.to_string());
                }
                Ok((Ok(BenchReport { measured: ready, ends_worker: true }), false))
            }
            (Err(error), _) => Err(error),
        }
    }
}
