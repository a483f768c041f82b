//! Ending worker processes.

use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time that a launcher has to end its worker or cancel its job after a signal, before it is killed.
const TERMINATE_GRACE: Duration = Duration::from_secs(5);

/// The interval at which an ending process is polled.
const POLL: Duration = Duration::from_millis(5);

/// Kills a worker from another thread.
#[derive(Clone)]
pub struct Killer {
    pub(super) child: Arc<Mutex<Child>>,
    /// Whether it is a launcher, which leads a process group.
    pub(super) is_group: bool,
}

impl Killer {
    /// Kills the worker. A running job ends with [`WorkerError::Ended`](super::WorkerError::Ended). A launcher is
    /// terminated first, so that it can end what it started: `srun` cancels its job.
    pub fn kill(&self) {
        self.terminate();
        if self.is_group {
            self.wait(TERMINATE_GRACE);
        }
        self.signal(Ending::Kill);
        let mut child = self.lock();
        // The process may have ended already.
        let _ = child.kill();
        let _ = child.wait();
    }

    /// Asks a launcher to end, and does not wait for it.
    pub(super) fn terminate(&self) {
        self.signal(Ending::Terminate);
    }

    /// Waits until the process ends, for up to this time.
    pub(super) fn wait(&self, limit: Duration) {
        let mut waited = Duration::ZERO;
        while matches!(self.lock().try_wait(), Ok(None)) && waited < limit {
            thread::sleep(POLL);
            waited += POLL;
        }
    }

    /// Signals the processes that a launcher has started.
    #[cfg(unix)]
    fn signal(&self, ending: Ending) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match ending {
            Ending::Terminate => Signal::TERM,
            Ending::Kill => Signal::KILL,
        };
        let mut child = self.lock();
        if self.is_group
            && matches!(child.try_wait(), Ok(None))
            && let Some(group) = Pid::from_raw(child.id() as i32)
        {
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&self, _: Ending) {}

    fn lock(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the processes of a launcher are ended.
enum Ending {
    Terminate,
    Kill,
}

/// Kills a worker that exceeds its time limit.
pub(super) struct Deadline {
    alive: mpsc::Sender<Duration>,
    watch: JoinHandle<bool>,
}

impl Deadline {
    pub(super) fn start(killer: Killer, after: Duration) -> Deadline {
        let (alive, over) = mpsc::channel();
        let watch = thread::spawn(move || {
            let mut after = after;
            let end = loop {
                match over.recv_timeout(after) {
                    Ok(other) => after = other,
                    Err(end) => break end,
                }
            };
            let is_late = end == RecvTimeoutError::Timeout;
            if is_late {
                killer.kill();
            }
            is_late
        });
        Deadline { alive, watch }
    }

    /// Starts another time limit.
    pub(super) fn restart(&self, after: Duration) {
        // The watch is over if the worker was killed.
        let _ = self.alive.send(after);
    }

    /// Stops the watch. Returns whether the worker was killed.
    pub(super) fn has_killed(self) -> bool {
        drop(self.alive);
        self.watch.join().unwrap_or(false)
    }
}
