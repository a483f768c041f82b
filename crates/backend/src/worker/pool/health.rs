//! Whether workers start on a host.

use super::super::error::WorkerError;
use super::super::host::Host;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of attempts to start a worker on a host where none has started before.
const FIRST_ATTEMPTS: u32 = 3;

/// The delay after the first failed attempt. It doubles after each further one.
const FIRST_DELAY: Duration = Duration::from_millis(500);

/// The maximum delay.
const MAX_DELAY: Duration = Duration::from_secs(15);

/// The different hosts of a pool.
pub(super) struct Hosts<'a>(Vec<HostState<'a>>);

/// A host, which several slots can share.
pub(super) struct HostState<'a> {
    host: &'a Host,
    /// The number of slots that are not given up.
    slots: AtomicUsize,
    /// The number of workers that have started.
    started: AtomicUsize,
    /// The number of jobs that were lost and run again.
    pub(super) lost: AtomicUsize,
}

impl<'a> Hosts<'a> {
    pub(super) fn new(slots: &'a [Host]) -> Hosts<'a> {
        let mut hosts: Vec<HostState<'a>> = Vec::new();
        for host in slots {
            match hosts.iter_mut().find(|known| known.host == host) {
                Some(known) => *known.slots.get_mut() += 1,
                None => {
                    let (slots, started, lost) = (AtomicUsize::new(1), AtomicUsize::new(0), AtomicUsize::new(0));
                    hosts.push(HostState { host, slots, started, lost });
                }
            }
        }
        Hosts(hosts)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The index of a host, and its state.
    pub(super) fn find(&self, host: &Host) -> (usize, &HostState<'a>) {
        let found = self.0.iter().enumerate().find(|(_, known)| known.host == host);
        found.unwrap_or((0, &self.0[0]))
    }
}

impl HostState<'_> {
    pub(super) fn started(&self) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives up a slot. Returns whether it was the last one.
    pub(super) fn give_up_slot(&self) -> bool {
        self.slots.fetch_sub(1, Ordering::Relaxed) == 1
    }

    fn has_started(&self) -> bool {
        self.started.load(Ordering::Relaxed) > 0
    }
}

/// The failed attempts of a slot to start a worker, since the last one that has started.
#[derive(Default)]
pub(super) struct Failures {
    count: u32,
    began: Option<Instant>,
}

impl Failures {
    /// Records an attempt that began at this time and failed. Returns the delay until the next one, or `None` if the
    /// slot is given up: at once if the reason is permanent, after a few attempts if no worker has ever started on the
    /// host, and otherwise, because a controller can restart, if none has started within the time limit for the start.
    pub(super) fn add(&mut self, error: &WorkerError, attempt: Instant, host: &HostState) -> Option<Duration> {
        self.count += 1;
        let began = *self.began.get_or_insert(attempt);
        let is_over = error.is_permanent()
            || began.elapsed() >= host.host.start.timeout()
            || (!host.has_started() && self.count >= FIRST_ATTEMPTS);
        let delay = FIRST_DELAY.saturating_mul(1 << (self.count - 1).min(10)).min(MAX_DELAY);
        (!is_over).then_some(delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn lost() -> WorkerError {
        let (launcher, status, doing) = (String::new(), String::new(), String::new());
        WorkerError::Lost { launcher, status, doing, has_crashed: false, output: Vec::new() }
    }

    #[test]
    fn a_host_that_never_started_a_worker_is_given_up_soon() {
        let slots = [Host::default()];
        let hosts = Hosts::new(&slots);
        let (mut failures, host) = (Failures::default(), hosts.find(&slots[0]).1);
        let mut add = || failures.add(&lost(), Instant::now(), host);
        assert_eq!([add(), add(), add()], [Some(FIRST_DELAY), Some(FIRST_DELAY * 2), None]);
        let permanent = WorkerError::Start(io::ErrorKind::NotFound.into());
        assert_eq!(Failures::default().add(&permanent, Instant::now(), host), None);
    }

    #[test]
    fn a_host_that_has_started_a_worker_has_the_time_of_a_start() {
        let slots = [Host::default()];
        let hosts = Hosts::new(&slots);
        let (mut failures, host) = (Failures::default(), hosts.find(&slots[0]).1);
        host.started();
        let now = Instant::now();
        let delays: Vec<_> = (0..20).map(|_| failures.add(&lost(), now, host)).collect();
        assert_eq!(delays[19], Some(MAX_DELAY));
        let limit = slots[0].start.timeout();
        if let Some(long_ago) = now.checked_sub(limit) {
            assert_eq!(Failures::default().add(&lost(), long_ago, host), None);
        }
    }

    #[test]
    fn slots_share_their_host() {
        let gpu = Host { target: super::super::super::protocol::Target::Cuda(0), ..Host::default() };
        let slots = [Host::default(), gpu.clone(), Host::default()];
        let hosts = Hosts::new(&slots);
        assert_eq!((hosts.len(), hosts.find(&gpu).0), (2, 1));
        let cpu = hosts.find(&slots[0]).1;
        assert_eq!([cpu.give_up_slot(), cpu.give_up_slot()], [false, true]);
    }
}
