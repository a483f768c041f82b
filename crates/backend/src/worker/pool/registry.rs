//! The running workers of a pool, which can be stopped from another thread.

use super::super::error::WorkerError;
use super::super::killer::Killer;
use super::super::starting::Starting;
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

    /// Starts the process of a slot, which is killed if the pool is stopped already. Whoever stops the pool waits until
    /// the process can be killed: otherwise a launcher that has just started would be left behind.
    pub(super) fn start(
        &self,
        slot: usize,
        spawn: impl FnOnce() -> Result<Starting, WorkerError>,
    ) -> Result<Starting, WorkerError> {
        let mut registry = self.lock();
        let starting = spawn()?;
        registry.workers.insert(slot, (starting.killer(), true));
        let is_over = registry.is_closed || registry.is_stopped;
        drop(registry);
        if is_over {
            starting.killer().kill();
        }
        Ok(starting)
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

#[cfg(all(test, unix))]
mod tests {
    use super::super::super::starting::Stderr;
    use super::*;
    use std::process::Command;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn a_pool_is_stopped_only_when_a_process_that_starts_can_be_killed() {
        let stopper = Stopper::default();
        let (spawning, is_spawning) = mpsc::channel();
        let (spawned, is_spawned) = mpsc::channel();
        let stops = stopper.clone();
        let stop = thread::spawn(move || {
            is_spawning.recv().expect("a process is started");
            stops.stop();
            is_spawned.try_recv()
        });
        let started = stopper.start(0, || {
            spawning.send(()).expect("the other thread waits");
            // Meanwhile the other thread stops the pool.
            thread::sleep(Duration::from_millis(50));
            let started = Starting::spawn(Command::new("sleep").arg("300"), None, Stderr::Captured);
            spawned.send(()).expect("the other thread has not ended");
            started
        });
        assert_eq!(
            stop.join().expect("it does not panic"),
            Ok(()),
            "the pool was stopped before the process had started"
        );
        let child = started.expect("the process starts").killer().child;
        let ended = child.lock().expect("no thread panics").try_wait();
        assert!(matches!(ended, Ok(Some(_))), "{ended:?}");
    }
}
