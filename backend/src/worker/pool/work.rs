//! The jobs of a pool: those of the queue, and those that were lost and run again.

use super::super::protocol::Job;
use super::event::{Outcome, Queued};
use super::registry::Stopper;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A job that needs a worker.
pub(super) struct Pending<T> {
    /// The number of its item in the queue.
    pub(super) number: usize,
    pub(super) item: T,
    pub(super) job: Job,
    /// How often it was started.
    pub(super) tries: usize,
    /// The index of the host on which it was lost.
    pub(super) lost_on: Option<usize>,
}

/// An item without a job: its number, and the item.
pub(super) type Jobless<T> = (usize, T);

/// The jobs that are not done.
pub(super) struct Work<'a, T, Q> {
    /// The queue. Only one thread at a time pulls it, without the lock of the state, because it can block.
    queue: Mutex<Q>,
    state: Mutex<State<T>>,
    changed: Condvar,
    pub(super) stopper: &'a Stopper,
}

struct State<T> {
    /// The jobs that need a worker.
    ready: VecDeque<Pending<T>>,
    is_pulling: bool,
    is_exhausted: bool,
    /// The number of jobs that run.
    running: usize,
    /// The number of slots that are starting a worker, by host.
    starting: Vec<usize>,
}

impl<T> State<T> {
    fn is_over(&self) -> bool {
        self.is_exhausted && !self.is_pulling && self.ready.is_empty() && self.running == 0
    }

    /// Removes a job, preferably one that was not lost on this host. One that was is left to the workers that other hosts
    /// are starting.
    fn take(&mut self, host: usize) -> Option<Pending<T>> {
        let other = self.ready.iter().position(|pending| pending.lost_on != Some(host));
        let others_start = (0..self.starting.len()).any(|other| other != host && self.starting[other] > 0);
        let index = other.or_else(|| (!others_start).then_some(0))?;
        let pending = self.ready.remove(index)?;
        self.running += 1;
        Some(pending)
    }
}

impl<'a, T, Q: Iterator<Item = (usize, Queued<T>)>> Work<'a, T, Q> {
    pub(super) fn new(queue: Mutex<Q>, hosts: usize, stopper: &'a Stopper) -> Work<'a, T, Q> {
        let (ready, starting) = (VecDeque::new(), vec![0; hosts]);
        let state = State { ready, is_pulling: false, is_exhausted: false, running: 0, starting };
        Work { queue, state: Mutex::new(state), changed: Condvar::new(), stopper }
    }

    /// Waits for a job that has no worker, and counts a slot of this host as starting one. Returns whether there is such
    /// a job. Slots of other hosts can start workers for the same job, because each can take long to start.
    pub(super) fn needs_worker(&self, host: usize, jobless: impl FnMut(Jobless<T>)) -> bool {
        let found = self.wait_for(jobless, |state| {
            let is_needed = state.ready.len() > state.starting[host];
            is_needed.then(|| state.starting[host] += 1)
        });
        found.is_some()
    }

    /// Records that a slot of this host has failed to start a worker.
    pub(super) fn has_not_started(&self, host: usize) {
        self.lock().starting[host] -= 1;
        self.changed.notify_all();
    }

    /// Waits for a job for a worker on this host. If the worker `is_new`, its slot does not count as starting any more.
    /// Returns `None` if there will be none.
    pub(super) fn take(&self, host: usize, mut is_new: bool, jobless: impl FnMut(Jobless<T>)) -> Option<Pending<T>> {
        self.wait_for(jobless, |state| {
            // With the job, so that no other slot starts a worker for it meanwhile.
            if std::mem::take(&mut is_new) {
                state.starting[host] -= 1;
            }
            state.take(host)
        })
    }

    /// Wakes the other slots, because one ends.
    pub(super) fn wake(&self) {
        self.changed.notify_all();
    }

    /// Records the end of a job, whose result has been reported.
    pub(super) fn finish(&self) {
        let mut state = self.lock();
        state.running -= 1;
        self.announce(state);
    }

    /// Returns a job that was lost.
    pub(super) fn put_back(&self, pending: Pending<T>) {
        let mut state = self.lock();
        state.running -= 1;
        state.ready.push_front(pending);
        self.announce(state);
    }

    /// The items that are left, after all slots have ended.
    pub(super) fn into_rest(self) -> impl Iterator<Item = (usize, T, Outcome)> {
        let ready = self.state.into_inner().unwrap_or_else(PoisonError::into_inner).ready;
        let ready = ready.into_iter().map(|pending| (pending.number, pending.item, Outcome::NotRun));
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        ready.chain(queue.map(|(number, (item, job))| {
            let outcome = if job.is_some() { Outcome::NotRun } else { Outcome::NoJob };
            (number, item, outcome)
        }))
    }

    /// Pulls the queue or waits until `found` returns something. Returns `None` if there are no jobs left.
    fn wait_for<R>(
        &self,
        mut jobless: impl FnMut(Jobless<T>),
        mut found: impl FnMut(&mut State<T>) -> Option<R>,
    ) -> Option<R> {
        let mut state = self.lock();
        loop {
            if self.stopper.is_stopped() || state.is_over() {
                return None;
            }
            if let Some(found) = found(&mut state) {
                return Some(found);
            }
            if state.is_pulling || state.is_exhausted {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.is_pulling = true;
            drop(state);
            let pulled = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            state = self.lock();
            state.is_pulling = false;
            match pulled {
                None => state.is_exhausted = true,
                Some((number, (item, Some(job)))) => {
                    state.ready.push_back(Pending { number, item, job, tries: 0, lost_on: None });
                }
                Some((number, (item, None))) => {
                    drop(state);
                    jobless((number, item));
                    state = self.lock();
                }
            }
            self.announce(state);
            state = self.lock();
        }
    }

    /// Wakes the other slots. If there are no jobs left, cancels the starts of workers.
    fn announce(&self, state: MutexGuard<'_, State<T>>) {
        let is_over = state.is_over();
        drop(state);
        self.changed.notify_all();
        if is_over {
            self.stopper.close();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
