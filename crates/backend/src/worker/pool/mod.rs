//! A pool of concurrent workers, which can be on several hosts.
//!
//! Each slot of the pool has at most one worker, and starts it when there is a job for it. A job whose worker is lost
//! runs again, on another host if one is free. A slot whose worker does not start tries again after a delay, and is
//! given up after a while (`health`), so that the jobs end as long as one host is left.

mod event;
mod health;
mod registry;
mod service;
mod slot;
mod work;

pub use event::{HostEvent, Outcome, PoolEvent, Queued};
pub use registry::Stopper;
pub use service::Service;

use super::host::Host;
use event::Numbered;
use service::Launches;
use slot::Slot;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc;
use std::task::Poll;
use std::thread;
use work::Work;

/// Runs the jobs of a queue, one worker for each of `slots`, and calls `events` as results arrive. The queue is pulled
/// when a worker is free, and again soon if its next item is pending, which can depend on `events`. If `events` breaks,
/// or `stopper` is stopped, all workers are killed.
pub fn run<T: Send, S: Service>(
    slots: &[Host],
    queue: impl Iterator<Item = Poll<Queued<T, S::Job>>> + Send,
    service: &S,
    stopper: &Stopper,
    mut events: impl FnMut(PoolEvent<T, S::Report>) -> ControlFlow<()>,
) {
    run_numbered(slots, queue, service, stopper, |event| {
        events(match event {
            Numbered::Done(_, item, outcome) => PoolEvent::Done(item, outcome),
            Numbered::Host(host, event) => PoolEvent::Host(host, event),
        })
    });
}

/// Runs the launches of a queue as [`run`] does, with the results in the order of the queue.
pub fn in_order<T: Send>(
    slots: &[Host],
    queue: impl Iterator<Item = Queued<T>> + Send,
    stopper: &Stopper,
    mut events: impl FnMut(PoolEvent<T>) -> ControlFlow<()>,
) {
    // Results can arrive out of order.
    let (mut next, mut waiting) = (0, BTreeMap::new());
    run_numbered(slots, queue.map(Poll::Ready), &Launches, stopper, |event| match event {
        Numbered::Host(host, event) => events(PoolEvent::Host(host, event)),
        Numbered::Done(number, item, outcome) => {
            waiting.insert(number, (item, outcome));
            while let Some((item, outcome)) = waiting.remove(&next) {
                next += 1;
                events(PoolEvent::Done(item, outcome))?;
            }
            ControlFlow::Continue(())
        }
    });
}

fn run_numbered<T: Send, S: Service>(
    slots: &[Host],
    queue: impl Iterator<Item = Poll<Queued<T, S::Job>>> + Send,
    service: &S,
    stopper: &Stopper,
    mut events: impl FnMut(Numbered<T, S::Report>) -> ControlFlow<()>,
) {
    let here = [Host::default()];
    let slots = if slots.is_empty() { &here[..] } else { slots };
    let hosts = health::Hosts::new(slots);
    let work = Work::new(Mutex::new(queue), hosts.len(), stopper);
    let (sender, receiver) = mpsc::sync_channel(slots.len());
    let is_broken = thread::scope(|scope| {
        for (number, host) in slots.iter().enumerate() {
            let slot = Slot::new(number, host, &hosts, service, &work, sender.clone());
            scope.spawn(move || slot.serve());
        }
        drop(sender);
        while let Ok(event) = receiver.recv() {
            if events(event).is_break() {
                stopper.stop();
                drop(receiver);
                return true;
            }
        }
        false
    });
    if is_broken || stopper.is_stopped() {
        return;
    }
    for (number, item, outcome) in work.into_rest() {
        if events(Numbered::Done(number, item, outcome)).is_break() {
            return;
        }
    }
}
