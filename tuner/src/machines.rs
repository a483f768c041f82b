//! Measures batches on one or several machines.

use crate::search::{Trial, TrialResult, trials};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use tile_backend::worker::bench::{BenchEvent, BenchJob, BenchReport, Measured, Outcome, Sampling};
use tile_backend::worker::{Host, Job, Killer, Worker};

/// The machines that measure candidates. All have GPUs of one architecture.
pub struct Machines {
    machines: Vec<Machine>,
    stopper: Stopper,
}

struct Machine {
    host: Host,
    worker: Option<Worker>,
    stopper: Stopper,
}

/// Stops the measurements of machines from another thread. They end with an error.
#[derive(Clone, Default)]
pub struct Stopper(Arc<Mutex<Stopped>>);

#[derive(Default)]
struct Stopped {
    is_stopped: bool,
    /// The handles that kill the workers.
    killers: Vec<Killer>,
}

impl Stopper {
    /// Kills all workers, and prevents new ones.
    pub fn stop(&self) {
        let mut stopped = self.lock();
        stopped.is_stopped = true;
        stopped.killers.drain(..).for_each(|killer| killer.kill());
    }

    fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// Takes note of a worker. Kills it if the measurements have been stopped.
    fn add(&self, killer: Killer) {
        let mut stopped = self.lock();
        if stopped.is_stopped {
            killer.kill();
        }
        stopped.killers.push(killer);
    }

    fn lock(&self) -> MutexGuard<'_, Stopped> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The progress of a batch on one of the machines.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The machine, by number.
    pub machine: usize,
    /// What it has done.
    pub event: BenchEvent,
}

impl Machines {
    /// The machines at these hosts. Their workers start with the first batch.
    pub fn new(hosts: impl IntoIterator<Item = Host>) -> Machines {
        let stopper = Stopper::default();
        let machine = |host| Machine { host, worker: None, stopper: stopper.clone() };
        Machines { machines: hosts.into_iter().map(machine).collect(), stopper }
    }

    /// A handle that stops the measurements.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Measures candidates; the first one is the reference. Candidates are distributed over the machines, and the reference
    /// runs on each of them, so that the ratios of candidates on different machines can be compared. The error is about the
    /// machines or the reference.
    pub fn measure(
        &mut self,
        candidates: &[Job],
        sampling: Sampling,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Vec<Trial>, String> {
        let Some(reference) = candidates.first() else { return Ok(Vec::new()) };
        let used = self.machines.len().min(candidates.len() - 1).max(1);
        let (progress, total) = (Mutex::new(progress), candidates.len());
        let parts: Vec<Result<Vec<(usize, Trial)>, String>> = thread::scope(|scope| {
            let machines = self.machines.iter_mut().take(used).enumerate();
            let running: Vec<_> = machines
                .map(|(number, machine)| {
                    let own: Vec<usize> = (1..total).filter(|index| index % used == number).collect();
                    let progress = &progress;
                    scope.spawn(move || {
                        let jobs: Vec<Job> = own.iter().map(|&index| candidates[index].clone()).collect();
                        let send = &mut |event| {
                            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                            (progress)(Progress { machine: number, event });
                        };
                        let trials = machine.measure(reference, jobs, sampling, send)?;
                        let indices = [0].into_iter().chain(own);
                        Ok(with_indices(indices.collect(), trials))
                    })
                })
                .collect();
            let gone = || Err("a machine was lost".to_string());
            running.into_iter().map(|machine| machine.join().unwrap_or_else(|_| gone())).collect()
        });
        let mut all: Vec<Option<Trial>> = vec![None; total];
        for part in parts {
            for (index, trial) in part? {
                // The reference was measured on every machine; that of the first one is kept.
                all[index].get_or_insert(trial);
            }
        }
        let not_run = Trial { result: TrialResult::NotRun, resources: None };
        Ok(all.into_iter().map(|trial| trial.unwrap_or_else(|| not_run.clone())).collect())
    }
}

/// Measures launches on a host, without a reference.
pub struct Timer(Machine);

impl Timer {
    /// A timer whose worker starts with the first measurement.
    pub fn new(host: Host) -> Timer {
        Timer(Machine { host, worker: None, stopper: Stopper::default() })
    }

    /// Measures launches in turns. One that breaks its worker fails, and the others are measured by another worker. The
    /// error is about the machine.
    pub fn measure(&mut self, jobs: &[Job], sampling: Sampling) -> Result<Vec<Measured>, String> {
        let target = self.0.host.target;
        let mut results = vec![Measured { outcome: Outcome::NotRun, resources: None }; jobs.len()];
        loop {
            let missing = (0..jobs.len()).filter(|&index| results[index].outcome == Outcome::NotRun);
            let indices: Vec<usize> = missing.collect();
            let candidates = indices.iter().map(|&index| Job { target, ..jobs[index].clone() }).collect();
            let measured = self.0.once(&BenchJob { candidates, sampling }, &mut |_| {})?;
            for (&index, mut measured) in indices.iter().zip(measured) {
                if let Outcome::Same(other) = &mut measured.outcome {
                    *other = indices[*other];
                }
                results[index] = measured;
            }
            let left = results.iter().filter(|measured| measured.outcome == Outcome::NotRun).count();
            if left == 0 || left == indices.len() {
                return Ok(results);
            }
        }
    }
}

/// Gives the trials of a machine their numbers in the batch.
fn with_indices(indices: Vec<usize>, trials: Vec<Trial>) -> Vec<(usize, Trial)> {
    let trials = trials.into_iter().map(|trial| match trial.result {
        TrialResult::Same(other) => Trial { result: TrialResult::Same(indices[other]), ..trial },
        _ => trial,
    });
    let trials: Vec<Trial> = trials.collect();
    indices.into_iter().zip(trials).collect()
}

impl Machine {
    /// Measures candidates together with the reference. A candidate that breaks its worker fails, and the others are
    /// measured by another worker.
    fn measure(
        &mut self,
        reference: &Job,
        candidates: Vec<Job>,
        sampling: Sampling,
        progress: &mut dyn FnMut(BenchEvent),
    ) -> Result<Vec<Trial>, String> {
        let target = self.host.target;
        let all: Vec<Job> =
            [reference.clone()].into_iter().chain(candidates).map(|job| Job { target, ..job }).collect();
        let mut results: Vec<Option<Trial>> = vec![None; all.len()];
        loop {
            // The reference is part of every measurement.
            let missing = (0..all.len()).filter(|&index| index == 0 || results[index].is_none());
            let indices: Vec<usize> = missing.collect();
            let job = BenchJob { candidates: indices.iter().map(|&index| all[index].clone()).collect(), sampling };
            let measured = self.once(&job, progress)?;
            if let Outcome::Failed(why) | Outcome::Refused(why) = &measured[0].outcome {
                return Err(format!("the program itself fails: {why}"));
            }
            let before = results.iter().flatten().count();
            for (index, trial) in with_indices(indices, trials(measured)) {
                if trial.result != TrialResult::NotRun {
                    results[index] = Some(trial);
                }
            }
            let after = results.iter().flatten().count();
            if after == all.len() || after == before {
                let not_run = Trial { result: TrialResult::NotRun, resources: None };
                return Ok(results.into_iter().map(|trial| trial.unwrap_or_else(|| not_run.clone())).collect());
            }
        }
    }

    /// Measures candidates with one worker. If the worker ends, the candidate that was running has failed.
    fn once(&mut self, job: &BenchJob, progress: &mut dyn FnMut(BenchEvent)) -> Result<Vec<Measured>, String> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                let worker = self.host.worker().map_err(|error| error.to_string())?;
                self.stopper.add(worker.killer());
                worker
            }
        };
        let mut running = None;
        let outcome = worker.bench(job, |event| {
            running = match event {
                BenchEvent::Running(index) | BenchEvent::Checking(index) => Some(index),
                _ => None,
            };
            progress(event);
        });
        match (outcome, running) {
            (Ok(report), _) => {
                let BenchReport { measured, ends_worker } = report?;
                self.worker = (!ends_worker).then_some(worker);
                Ok(measured)
            }
            (Err(_), _) if self.stopper.is_stopped() => Err("the search was stopped".to_string()),
            (Err(error), Some(culprit)) => {
                let failed = Outcome::Failed(error.to_string());
                let outcome = |index| if index == culprit { failed.clone() } else { Outcome::NotRun };
                let measured = |index| Measured { outcome: outcome(index), resources: None };
                Ok((0..job.candidates.len()).map(measured).collect())
            }
            (Err(error), None) => Err(error.to_string()),
        }
    }
}
