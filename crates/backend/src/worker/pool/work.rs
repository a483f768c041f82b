//! The jobs of a pool: those of the queue, and those that were lost and run again.

use super::event::{Outcome, Queued};
use super::registry::Stopper;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

/// The interval at which a queue is pulled that has nothing yet.
const POLL: Duration = Duration::from_millis(20);

/// A job that needs a worker.
pub(super) struct Pending<T, J> {
    /// The number of its item in the queue.
    pub(super) number: usize,
    pub(super) item: T,
    pub(super) job: J,
    /// How often it was started.
    pub(super) tries: usize,
    /// The index of the host on which it was lost.
    pub(super) lost_on: Option<usize>,
}

/// An item without a job: its number, and the item.
pub(super) type Jobless<T> = (usize, T);

/// The jobs that are not done.
pub(super) struct Work<'a, T, J, Q> {
    /// The queue. Only one thread at a time pulls it, without the lock of the state, because it can block.
    queue: Mutex<Q>,
    state: Mutex<State<T, J>>,
    changed: Condvar,
    pub(super) stopper: &'a Stopper,
}

struct State<T, J> {
    /// The jobs that need a worker.
    ready: VecDeque<Pending<T, J>>,
    /// The number of items that were pulled.
    pulled: usize,
    is_pulling: bool,
    is_exhausted: bool,
    /// The number of jobs that run.
    running: usize,
    /// The number of slots that are starting a worker, by host.
    starting: Vec<usize>,
}

impl<T, J> State<T, J> {
    fn is_over(&self) -> bool {
        self.is_exhausted && !self.is_pulling && self.ready.is_empty() && self.running == 0
    }

    /// Removes a job, preferably one that was not lost on this host. One that was is left to the workers that other
    /// hosts are starting.
    fn take(&mut self, host: usize) -> Option<Pending<T, J>> {
        let other = self.ready.iter().position(|pending| pending.lost_on != Some(host));
        let others_start = (0..self.starting.len()).any(|other| other != host && self.starting[other] > 0);
        let index = other.or_else(|| (!others_start).then_some(0))?;
        let pending = self.ready.remove(index)?;
        self.running += 1;
        Some(pending)
    }
}

impl<'a, T, J, Q: Iterator<Item = Poll<Queued<T, J>>>> Work<'a, T, J, Q> {
    pub(super) fn new(queue: Mutex<Q>, hosts: usize, stopper: &'a Stopper) -> Work<'a, T, J, Q> {
        let (ready, starting) = (VecDeque::new(), vec![0; hosts]);
        let state = State { ready, pulled: 0, is_pulling: false, is_exhausted: false, running: 0, starting };
        Work { queue, state: Mutex::new(state), changed: Condvar::new(), stopper }
    }

    /// Waits for a job that has no worker, and counts a slot of this host as starting one. Returns whether there is
    /// such a job. Slots of other hosts can start workers for the same job, because each can take long to start.
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
    pub(super) fn take(&self, host: usize, mut is_new: bool, jobless: impl FnMut(Jobless<T>)) -> Option<Pending<T, J>> {
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
    pub(super) fn put_back(&self, pending: Pending<T, J>) {
        let mut state = self.lock();
        state.running -= 1;
        state.ready.push_front(pending);
        self.announce(state);
    }

    /// The items that are left, after all slots have ended.
    pub(super) fn into_rest<R>(self) -> impl Iterator<Item = (usize, T, Outcome<R>)> {
        let State { ready, pulled, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ready = ready.into_iter().map(|pending| (pending.number, pending.item, Outcome::NotRun));
        let queue = self.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pulled_later = queue.map_while(|pulled| match pulled {
            Poll::Ready(queued) => Some(queued),
            Poll::Pending => None,
        });
        ready.chain((pulled..).zip(pulled_later).map(|(number, (item, job))| {
            let outcome = if job.is_some() { Outcome::NotRun } else { Outcome::NoJob };
            (number, item, outcome)
        }))
    }

    /// Pulls the queue or waits until `found` returns something. Returns `None` if there are no jobs left.
    fn wait_for<R>(
        &self,
        mut jobless: impl FnMut(Jobless<T>),
        mut found: impl FnMut(&mut State<T, J>) -> Option<R>,
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
                Some(Poll::Pending) => {
                    drop(self.changed.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner));
                    state = self.lock();
                    continue;
                }
                Some(Poll::Ready((item, job))) => {
                    let number = state.pulled;
                    state.pulled += 1;
                    match job {
                        Some(job) => state.ready.push_back(Pending { number, item, job, tries: 0, lost_on: None }),
                        None => {
                            drop(state);
                            jobless((number, item));
                            state = self.lock();
                        }
                    }
                }
            }
            self.announce(state);
            state = self.lock();
        }
    }

    /// Wakes the other slots. If there are no jobs left, cancels the starts of workers.
    fn announce(&self, state: MutexGuard<'_, State<T, J>>) {
        let is_over = state.is_over();
        drop(state);
        self.changed.notify_all();
        if is_over {
            self.stopper.close();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T, J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
