//! Several workers at the same time.

use super::client::Killer;
use super::{Host, Job, Report, Target, Worker, WorkerError};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Something that stands in a queue, with what is to be done about it if anything is.
type Queued<T> = (T, Option<Job>);

/// What became of a job; `None` where there was none.
type JobResult = Option<Result<Report, WorkerError>>;

/// Has up to `workers` workers, spread over some places, carry out what stands in a queue, and tells what came of it in the order of the queue.
/// Each takes one job after the other; one that has ended is replaced. `tell` may end it all: then what still runs is
/// killed.
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
        // Some are done before those in front of them.
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
    /// What ends the workers; `None` when there shall be no more of them.
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
    /// Takes from the queue until it is empty or nobody listens.
    fn serve(&self, place: &Host, done: &mpsc::SyncSender<(usize, (T, JobResult))>) {
        let mut worker = None;
        loop {
            // What makes the queue runs here, one at a time.
            let Some((number, (item, job))) = lock(&self.queue).next() else { return };
            let outcome = job.map(|job| {
                // What is looked for with care can be seen by the CPU engine only.
                let sanitize = job.sanitize && place.target == Target::Cpu;
                self.carry_out(place, &Job { target: place.target, sanitize, ..job }, &mut worker)
            });
            if done.send((number, (item, outcome))).is_err() {
                return;
            }
        }
    }

    fn carry_out(&self, place: &Host, job: &Job, kept: &mut Option<Worker>) -> Result<Report, WorkerError> {
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => self.start(place)?,
        };
        let report = worker.run(job, |_| {})?;
        *kept = report.leaves_worker().then_some(worker);
        Ok(report)
    }

    fn start(&self, place: &Host) -> Result<Worker, WorkerError> {
        let worker = place.start.worker()?;
        let mut killers = lock(&self.killers);
        if killers.stopped {
            worker.killer().kill();
        }
        killers.of.push(worker.killer());
        Ok(worker)
    }

    /// Ends everything.
    fn stop<M>(&self, receiver: mpsc::Receiver<M>) {
        drop(receiver);
        let mut killers = lock(&self.killers);
        killers.stopped = true;
        killers.of.iter().for_each(Killer::kill);
    }
}
