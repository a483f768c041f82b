//! A pool of concurrent workers.

use super::client::Killer;
use super::{Host, Job, Report, Target, Worker, WorkerError};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// An item in a queue, with its job, if it has one.
type Queued<T> = (T, Option<Job>);

/// The result of a job; `None` if the item has no job.
type JobResult = Option<Result<Report, WorkerError>>;

/// Processes a queue with up to `workers` workers, distributed over the hosts, and calls `events` with the results in
/// the order of the queue. A worker that has ended is replaced. If `events` breaks, all running jobs are killed.
pub fn in_order<T: Send>(
    places: &[Host],
    workers: usize,
    queue: impl Iterator<Item = Queued<T>> + Send,
    mut events: impl FnMut(T, JobResult) -> ControlFlow<()>,
) {
    let pool = Pool { queue: Mutex::new(queue.enumerate()), killers: Mutex::default() };
    let (sender, receiver) = mpsc::sync_channel(workers);
    thread::scope(|scope| {
        for number in 0..workers.max(1) {
            let (pool, sender) = (&pool, sender.clone());
            let place = places.get(number % places.len().max(1)).cloned().unwrap_or_default();
            scope.spawn(move || pool.serve(&place, &sender));
        }
        drop(sender);
        // Results can arrive out of order.
        let (mut next, mut waiting) = (0, BTreeMap::new());
        while let Ok((number, done)) = receiver.recv() {
            waiting.insert(number, done);
            while let Some((item, outcome)) = waiting.remove(&next) {
                next += 1;
                if events(item, outcome).is_break() {
                    return pool.stop(receiver);
                }
            }
        }
    });
}

struct Pool<Q> {
    queue: Mutex<Q>,
    /// The handles that kill the workers.
    killers: Mutex<Killers>,
}

#[derive(Default)]
struct Killers {
    of: Vec<Killer>,
    stopped: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T, Q: Iterator<Item = (usize, Queued<T>)>> Pool<Q> {
    /// Processes the queue until it is empty or the receiver is gone.
    fn serve(&self, place: &Host, done: &mpsc::SyncSender<(usize, (T, JobResult))>) {
        let mut worker = None;
        loop {
            // Only one thread at a time runs the iterator.
            let Some((number, (item, job))) = lock(&self.queue).next() else { return };
            let outcome = job.map(|job| {
                // Only the CPU engine has a sanitizer.
                let sanitize = job.sanitize && place.target == Target::Cpu;
                self.run(place, &Job { target: place.target, sanitize, ..job }, &mut worker)
            });
            if done.send((number, (item, outcome))).is_err() {
                return;
            }
        }
    }

    fn run(&self, place: &Host, job: &Job, kept: &mut Option<Worker>) -> Result<Report, WorkerError> {
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => self.start(place)?,
        };
        let report = worker.run(job, |_| {})?;
        *kept = report.is_worker_usable().then_some(worker);
        Ok(report)
    }

    fn start(&self, place: &Host) -> Result<Worker, WorkerError> {
        let worker = place.worker()?;
        let mut killers = lock(&self.killers);
        if killers.stopped {
            worker.killer().kill();
        }
        killers.of.push(worker.killer());
        Ok(worker)
    }

    /// Kills all workers, and prevents new ones.
    fn stop<M>(&self, receiver: mpsc::Receiver<M>) {
        drop(receiver);
        let mut killers = lock(&self.killers);
        killers.stopped = true;
        killers.of.iter().for_each(Killer::kill);
    }
}
