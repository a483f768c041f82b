//! The running workers of a pool, which can be stopped from another thread.

use super::super::killer::Killer;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Stops a pool: kills its workers, and prevents new ones. Launchers that wait in a queue cancel their jobs.
#[derive(Clone, Default)]
pub struct Stopper(Arc<(Mutex<Registry>, Condvar)>);

#[derive(Default)]
struct Registry {
    /// The processes of the slots, by number, and whether they are still starting.
    workers: BTreeMap<usize, (Killer, bool)>,
    /// Whether no worker may start any more, because there is no job left.
    is_closed: bool,
    is_stopped: bool,
}

impl Stopper {
    /// Kills all workers, and prevents new ones. Returns when they have ended.
    pub fn stop(&self) {
        let mut registry = self.lock();
        registry.is_stopped = true;
        self.end(registry, |_| true);
    }

    /// Kills the workers that are still starting, and prevents new ones.
    pub(super) fn close(&self) {
        let mut registry = self.lock();
        registry.is_closed = true;
        self.end(registry, |is_starting| is_starting);
    }

    /// Whether the pool was stopped.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// Whether no worker may start.
    pub(super) fn is_closed(&self) -> bool {
        let registry = self.lock();
        registry.is_closed || registry.is_stopped
    }

    /// Registers a process of a slot, which is killed if the pool is stopped already.
    pub(super) fn starting(&self, slot: usize, killer: Killer) {
        let mut registry = self.lock();
        let is_over = registry.is_closed || registry.is_stopped;
        registry.workers.insert(slot, (killer.clone(), true));
        drop(registry);
        if is_over {
            killer.kill();
        }
    }

    /// Records that the process of a slot is a worker.
    pub(super) fn started(&self, slot: usize) {
        if let Some((_, is_starting)) = self.lock().workers.get_mut(&slot) {
            *is_starting = false;
        }
    }

    /// Waits for this time, or until no worker may start. Returns whether one may.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let is_open = |registry: &mut Registry| !registry.is_closed && !registry.is_stopped;
        let waited = self.0.1.wait_timeout_while(self.lock(), time, is_open);
        is_open(&mut waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn end(&self, registry: MutexGuard<'_, Registry>, selected: impl Fn(bool) -> bool) {
        let workers = registry.workers.values().filter(|(_, is_starting)| selected(*is_starting));
        let killers: Vec<Killer> = workers.map(|(killer, _)| killer.clone()).collect();
        drop(registry);
        self.0.1.notify_all();
        // Launchers end in parallel.
        killers.iter().for_each(Killer::terminate);
        killers.iter().for_each(Killer::kill);
    }

    fn lock(&self) -> MutexGuard<'_, Registry> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
