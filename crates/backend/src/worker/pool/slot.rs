//! A slot of a pool: a thread with at most one worker.

use super::super::client::Worker;
use super::super::error::WorkerError;
use super::super::host::Host;
use super::event::{HostEvent, MAX_TRIES, Numbered, Outcome, Queued};
use super::health::{Failures, HostState, Hosts};
use super::service::Service;
use super::work::{Pending, Work};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::task::Poll;
use std::time::Instant;

pub(super) struct Slot<'a, T, S: Service, Q> {
    number: usize,
    host: &'a Host,
    /// The index of the host.
    index: usize,
    state: &'a HostState<'a>,
    service: &'a S,
    work: &'a Work<'a, T, S::Job, Q>,
    events: SyncSender<Numbered<T, S::Report>>,
}

impl<'a, T: Send, S: Service, Q: Iterator<Item = Poll<Queued<T, S::Job>>> + Send> Slot<'a, T, S, Q> {
    pub(super) fn new(
        number: usize,
        host: &'a Host,
        hosts: &'a Hosts<'a>,
        service: &'a S,
        work: &'a Work<'a, T, S::Job, Q>,
        events: SyncSender<Numbered<T, S::Report>>,
    ) -> Slot<'a, T, S, Q> {
        let (index, state) = hosts.find(host);
        Slot { number, host, index, state, service, work, events }
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
        let starting = self.work.stopper.start(self.number, || self.host.spawn())?;
        let mut worker = starting.wait(|line| self.report(HostEvent::Waiting(line.map(str::to_string))))?;
        self.service.check(&mut worker, self.host)?;
        self.work.stopper.started(self.number);
        Ok(worker)
    }

    /// Runs a job. Leaves no worker if it cannot be used again.
    fn run(&self, mut pending: Pending<T, S::Job>, kept: &mut Option<Worker>) {
        let Some(mut worker) = kept.take() else { return self.work.put_back(pending) };
        pending.tries += 1;
        let is_last_try = pending.tries >= MAX_TRIES;
        let result = self.service.run(&mut pending.job, &mut worker, self.host, is_last_try);
        match &result {
            Ok((_, true)) => *kept = Some(worker),
            Ok((_, false)) | Err(_) => drop(worker),
        }
        let host = self.host.clone();
        match result {
            // The result can be that the worker was killed.
            _ if self.work.stopper.is_stopped() => {}
            Err(error) if error.is_loss() && !is_last_try => {
                self.state.lost.fetch_add(1, Ordering::Relaxed);
                self.report(HostEvent::Lost(error));
                return self.work.put_back(Pending { lost_on: Some(self.index), ..pending });
            }
            result => {
                let outcome = Outcome::Ended { host, tries: pending.tries, result: result.map(|(report, _)| report) };
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

    fn send(&self, event: Numbered<T, S::Report>) {
        // The receiver is dropped after the pool was stopped.
        let _ = self.events.send(event);
    }
}
