//! Measures candidates on one or several machines.

use crate::device::Device;
use crate::measuring::{Measuring, Message, Part};
use crate::search::{Trial, TrialResult, trials};
use std::iter;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::thread::{self, JoinHandle};
use tile_backend::worker::bench::{BenchEvent, BenchJob, Measured, Outcome, Sampling};
use tile_backend::worker::pool::{self, Outcome as PartOutcome, Queued};
use tile_backend::worker::{Host, HostEvent, Job, PoolEvent, Stopper, WorkerError};

/// The machines that measure candidates. A pool has a worker for each host, from the first measurement that needs it
/// until this is dropped. A measurement whose worker is lost runs again.
pub struct Machines {
    hosts: Vec<Host>,
    /// The queue of the pool; `None` when it ends.
    queue: Option<Sender<Queued<Part, BenchJob>>>,
    messages: Receiver<Message>,
    /// The GPU of all machines, if it must be the same.
    device: Option<Arc<OnceLock<Device>>>,
    stopper: Stopper,
    pool: Option<JoinHandle<()>>,
    /// The number of measurements that have no result yet.
    open: usize,
    are_gone: bool,
    /// Why no worker has started, after the last attempt.
    failure: Option<String>,
}

/// An event of a measurement.
#[derive(Debug)]
pub enum Update {
    /// The progress of a worker.
    Progress(BenchEvent),
    /// Something happened on a host.
    Host(Host, HostEvent),
}

impl Machines {
    /// The machines at these hosts.
    pub fn new(hosts: Vec<Host>) -> Machines {
        Machines::start(hosts, None)
    }

    /// The machines at these hosts, whose targets must be GPUs of one kind. Those that have another GPU or compiler
    /// than the first one to answer are not used.
    pub fn alike(hosts: Vec<Host>) -> Machines {
        Machines::start(hosts, Some(Arc::default()))
    }

    fn start(hosts: Vec<Host>, device: Option<Arc<OnceLock<Device>>>) -> Machines {
        let (queue, queued) = mpsc::channel();
        let (sender, messages) = mpsc::channel();
        let queued = iter::from_fn(move || match queued.try_recv() {
            Ok(queued) => Some(Poll::Ready(queued)),
            Err(TryRecvError::Empty) => Some(Poll::Pending),
            Err(TryRecvError::Disconnected) => None,
        });
        let measuring = Measuring { device: device.clone(), messages: sender.clone() };
        let stopper = Stopper::default();
        let (slots, stops) = (hosts.clone(), stopper.clone());
        let pool = thread::spawn(move || {
            pool::run(&slots, queued, &measuring, &stops, |event| match sender.send(Message::Pool(event)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
        });
        let (queue, pool) = (Some(queue), Some(pool));
        Machines { hosts, queue, messages, device, stopper, pool, open: 0, are_gone: false, failure: None }
    }

    /// A handle that stops the measurements from another thread. They end with an error.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Whether a measurement has failed because no host is left.
    pub fn are_gone(&self) -> bool {
        self.are_gone
    }

    /// The GPU of the machines, which must be alike. Waits until a worker has started.
    pub fn device(&mut self, update: &mut dyn FnMut(Update)) -> Result<Device, String> {
        self.measure_parts(&[Vec::new()], Sampling::default(), false, update, |_, _| Ok(()))?;
        let device = self.device.as_ref().and_then(|device| device.get());
        device.cloned().ok_or_else(|| "the GPU is unknown".to_string())
    }

    /// Measures candidates; the first one is the reference. Candidates are distributed over the machines, and the
    /// reference runs on each of them, so that the ratios of candidates on different machines can be compared. The
    /// error is about the machines or the reference.
    pub fn measure(
        &mut self,
        candidates: &[Job],
        sampling: Sampling,
        update: &mut dyn FnMut(Update),
    ) -> Result<Vec<Trial>, String> {
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let used = self.hosts.len().min(candidates.len() - 1).max(1);
        let of_part =
            |part: usize| iter::once(0).chain((1..candidates.len()).filter(move |index| index % used == part));
        let indices: Vec<Vec<usize>> = (0..used).map(|part| of_part(part).collect()).collect();
        let jobs = |part: &Vec<usize>| part.iter().map(|&index| candidates[index].clone()).collect();
        let parts: Vec<Vec<Job>> = indices.iter().map(jobs).collect();
        let mut all = vec![Trial { result: TrialResult::NotRun, resources: None }; candidates.len()];
        self.measure_parts(&parts, sampling, true, update, |part, measured| {
            if let Some(Outcome::Failed(why) | Outcome::Wrong(why) | Outcome::Refused(why)) =
                measured.first().map(|first| &first.outcome)
            {
                return Err(format!("the program itself fails: {why}"));
            }
            let numbers: Vec<usize> = part.candidates.iter().map(|&index| indices[part.number][index]).collect();
            for (&number, mut trial) in numbers.iter().zip(trials(measured)) {
                if let TrialResult::Same(other) = trial.result {
                    trial.result = numbers.get(other).map_or(TrialResult::NotRun, |&other| TrialResult::Same(other));
                }
                // Of the reference, which is in every part, the first measurement is kept.
                if all[number].result == TrialResult::NotRun {
                    all[number] = trial;
                }
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Measures launches in turns, without a reference. The error is about the machines or the arguments.
    pub fn time(
        &mut self,
        jobs: &[Job],
        sampling: Sampling,
        update: &mut dyn FnMut(Update),
    ) -> Result<Vec<Measured>, String> {
        let mut all = vec![Measured { outcome: Outcome::NotRun, resources: None }; jobs.len()];
        self.measure_parts(&[jobs.to_vec()], sampling, false, update, |part, measured| {
            for (&index, mut measured) in part.candidates.iter().zip(measured) {
                if let Outcome::Same(other) = measured.outcome {
                    measured.outcome =
                        part.candidates.get(other).map_or(Outcome::NotRun, |&other| Outcome::Same(other));
                }
                all[index] = measured;
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Has parts measured, each by one worker, and calls `finished` with what was measured. Candidates that were not
    /// run, because another one broke their worker, are measured again, with the first one if it is a reference.
    fn measure_parts(
        &mut self,
        parts: &[Vec<Job>],
        sampling: Sampling,
        has_reference: bool,
        update: &mut dyn FnMut(Update),
        mut finished: impl FnMut(&Part, Vec<Measured>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut is_missing: Vec<Vec<bool>> = parts.iter().map(|jobs| vec![true; jobs.len()]).collect();
        for (number, jobs) in parts.iter().enumerate() {
            self.send(Part { number, candidates: (0..jobs.len()).collect() }, jobs, sampling);
        }
        while self.open > 0 {
            let (part, measured) = self.next(update)?;
            let missing = &mut is_missing[part.number];
            let before = missing.iter().filter(|missing| **missing).count();
            for (&index, measured) in part.candidates.iter().zip(&measured) {
                missing[index] &= measured.outcome == Outcome::NotRun;
            }
            let left: Vec<usize> = (0..missing.len()).filter(|&index| missing[index]).collect();
            finished(&part, measured)?;
            if !left.is_empty() && left.len() < before {
                let reference = (has_reference && left[0] != 0).then_some(0);
                let candidates = reference.into_iter().chain(left).collect();
                self.send(Part { candidates, ..part }, &parts[part.number], sampling);
            }
        }
        Ok(())
    }

    fn send(&mut self, part: Part, jobs: &[Job], sampling: Sampling) {
        let candidates = part.candidates.iter().map(|&index| jobs[index].clone()).collect();
        self.open += 1;
        // Without the pool, there will be no result.
        let _ = self.queue.as_ref().map(|queue| queue.send((part, Some(BenchJob { candidates, sampling }))));
    }

    /// The next finished measurement.
    fn next(&mut self, update: &mut dyn FnMut(Update)) -> Result<(Part, Vec<Measured>), String> {
        loop {
            match self.messages.recv() {
                Ok(Message::Progress(event)) => update(Update::Progress(event)),
                Ok(Message::Pool(PoolEvent::Host(host, event))) => {
                    if let HostEvent::NotStarted(error, _) = &event {
                        self.failure = Some(error.to_string());
                    }
                    // The only host is part of the final error.
                    let is_final = matches!(event, HostEvent::NotStarted(_, None) | HostEvent::GivenUp { .. });
                    if !is_final || self.hosts.iter().any(|other| *other != host) {
                        update(Update::Host(host, event));
                    }
                }
                Ok(Message::Pool(PoolEvent::Done(part, outcome))) => {
                    self.open -= 1;
                    return match outcome {
                        PartOutcome::Ended { result, .. } => result
                            .map_err(|error: WorkerError| error.to_string())
                            .and_then(|report| Ok((part, report?.measured))),
                        PartOutcome::NotRun | PartOutcome::NoJob => Err(self.gone()),
                    };
                }
                Err(_) => return Err(self.gone()),
            }
        }
    }

    /// Records that no host is left, and returns why.
    fn gone(&mut self) -> String {
        self.are_gone = true;
        match &self.failure {
            _ if self.stopper.is_stopped() => "the measurements were stopped".to_string(),
            Some(failure) if self.hosts.iter().all(|host| *host == self.hosts[0]) => failure.clone(),
            _ => "no target is left".to_string(),
        }
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        if self.open > 0 {
            self.stopper.stop();
        }
        self.queue = None;
        // A panic of the pool has no other consequences.
        let _ = self.pool.take().map(JoinHandle::join);
    }
}
