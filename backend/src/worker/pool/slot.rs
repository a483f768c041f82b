//! A slot of a pool: a thread with at most one worker.

use super::super::client::Worker;
use super::super::error::WorkerError;
use super::super::host::Host;
use super::super::protocol::{Job, Target};
use super::event::{HostEvent, MAX_TRIES, Numbered, Outcome, Queued};
use super::health::{Failures, HostState, Hosts};
use super::work::{Pending, Work};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

pub(super) struct Slot<'a, T, Q> {
    number: usize,
    host: &'a Host,
    /// The index of the host.
    index: usize,
    state: &'a HostState<'a>,
    work: &'a Work<'a, T, Q>,
    events: SyncSender<Numbered<T>>,
}

impl<'a, T: Send, Q: Iterator<Item = (usize, Queued<T>)> + Send> Slot<'a, T, Q> {
    pub(super) fn new(
        number: usize,
        host: &'a Host,
        hosts: &'a Hosts<'a>,
        work: &'a Work<'a, T, Q>,
        events: SyncSender<Numbered<T>>,
    ) -> Slot<'a, T, Q> {
        let (index, state) = hosts.find(host);
        Slot { number, host, index, state, work, events }
    }

    /// Runs jobs until there are none left, or no worker starts.
    pub(super) fn serve(self) {
        self.serve_jobs();
        self.work.wake();
    }

    fn serve_jobs(&self) {
        let mut worker = None;
        loop {
            let is_new = worker.is_none();
            if is_new {
                match self.start() {
                    ControlFlow::Continue(started) => worker = Some(started),
                    ControlFlow::Break(()) => return,
                }
            }
            let Some(pending) = self.work.take(self.index, is_new, |item| self.report_jobless(item)) else { return };
            self.run(pending, &mut worker);
        }
    }

    /// Starts a worker when there is a job for it. Breaks if there are no jobs left, or if the slot is given up.
    fn start(&self) -> ControlFlow<(), Worker> {
        let mut failures = Failures::default();
        loop {
            if !self.work.needs_worker(self.index, |item| self.report_jobless(item)) {
                return ControlFlow::Break(());
            }
            let attempt = Instant::now();
            let started = self.start_once();
            let error = match started {
                Ok(worker) => {
                    self.state.started();
                    self.report(HostEvent::Started);
                    return ControlFlow::Continue(worker);
                }
                Err(error) => error,
            };
            self.work.has_not_started(self.index);
            // The launcher was killed because there are no jobs left.
            if self.work.stopper.is_closed() {
                return ControlFlow::Break(());
            }
            let delay = failures.add(&error, attempt, self.state);
            self.report(HostEvent::NotStarted(error, delay));
            let Some(delay) = delay else {
                if self.state.give_up_slot() {
                    self.report(HostEvent::GivenUp { lost: self.state.lost.load(Ordering::Relaxed) });
                }
                return ControlFlow::Break(());
            };
            if !self.work.stopper.wait(delay) {
                return ControlFlow::Break(());
            }
        }
    }

    fn start_once(&self) -> Result<Worker, WorkerError> {
        let starting = self.host.spawn()?;
        self.work.stopper.starting(self.number, starting.killer());
        let worker = starting.wait(|line| self.report(HostEvent::Waiting(line.map(str::to_string))))?;
        self.work.stopper.started(self.number);
        Ok(worker)
    }

    /// Runs a job. Leaves no worker if it cannot be used again.
    fn run(&self, mut pending: Pending<T>, kept: &mut Option<Worker>) {
        let Some(mut worker) = kept.take() else { return self.work.put_back(pending) };
        let target = self.host.target;
        // Only the CPU engine has a sanitizer.
        let sanitize = pending.job.sanitize && target == Target::Cpu;
        pending.job = Job { target, sanitize, ..pending.job };
        pending.tries += 1;
        let result = worker.run(&pending.job, |_| {});
        match &result {
            Ok(report) if report.is_worker_usable() => *kept = Some(worker),
            Ok(_) | Err(_) => drop(worker),
        }
        let host = self.host.clone();
        match result {
            // The error is that the worker was killed.
            Err(_) if self.work.stopper.is_stopped() => {}
            Err(error) if error.is_loss() && pending.tries < MAX_TRIES => {
                self.state.lost.fetch_add(1, Ordering::Relaxed);
                self.report(HostEvent::Lost(error));
                return self.work.put_back(Pending { lost_on: Some(self.index), ..pending });
            }
            result => {
                let outcome = Outcome::Ended { host, tries: pending.tries, result: result.map(Box::new) };
                self.send(Numbered::Done(pending.number, pending.item, outcome));
            }
        }
        self.work.finish();
    }

    fn report_jobless(&self, (number, item): (usize, T)) {
        self.send(Numbered::Done(number, item, Outcome::NoJob));
    }

    fn report(&self, event: HostEvent) {
        self.send(Numbered::Host(self.host.clone(), event));
    }

    fn send(&self, event: Numbered<T>) {
        // The receiver is dropped after the pool was stopped.
        let _ = self.events.send(event);
    }
}
