//! The process of a launcher.

use super::error::WorkerError;
use super::killer::Killer;
use super::launcher_output::LauncherOutput;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The time after which a start counts as waiting, and the interval at which its progress is reported.
const WAITING_INTERVAL: Duration = Duration::from_secs(2);

/// A launcher, as a running process.
pub(super) struct RunningLauncher {
    /// Its name in messages.
    pub(super) name: String,
    /// The time limit for the start.
    pub(super) limit: Duration,
    /// The last lines that it printed.
    pub(super) output: LauncherOutput,
}

impl RunningLauncher {
    /// Reports the progress of a start until the worker has answered. Kills the launcher at the time limit, and returns
    /// whether it did.
    pub(super) fn watch(&self, over: &Receiver<()>, killer: &Killer, mut waiting: impl FnMut(Option<&str>)) -> bool {
        let deadline = Instant::now() + self.limit;
        let mut reported = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match over.recv_timeout(left.min(WAITING_INTERVAL)) {
                Err(RecvTimeoutError::Timeout) if left <= WAITING_INTERVAL => {
                    killer.kill();
                    return true;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
            }
            let line = self.output.last_line();
            if reported.as_ref() != Some(&line) {
                waiting(line.as_deref());
                reported = Some(line);
            }
        }
    }

    pub(super) fn silent(&self) -> WorkerError {
        WorkerError::Silent { launcher: self.name.clone(), limit: self.limit, output: self.output.last_lines() }
    }

    pub(super) fn no_worker(&self) -> WorkerError {
        WorkerError::NoWorker { launcher: self.name.clone(), output: self.output.last_lines() }
    }
}
