//! The time limit of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Cancels a run that takes too long. Dropping it stops the timer.
pub(super) struct Timer {
    /// Set when the time limit is reached.
    pub(super) cancel: Arc<AtomicBool>,
    limit: Option<Duration>,
    _alive: mpsc::Sender<()>,
}

impl Timer {
    pub(super) fn start(timeout_ms: Option<u64>) -> Timer {
        Timer::resume(timeout_ms, Instant::now())
    }

    /// Starts a timer whose time began to run earlier.
    pub(super) fn resume(timeout_ms: Option<u64>, began: Instant) -> Timer {
        let cancel = Arc::new(AtomicBool::new(false));
        let limit = timeout_ms.map(Duration::from_millis);
        let (alive, over) = mpsc::channel::<()>();
        if let Some(limit) = limit {
            let cancel = cancel.clone();
            std::thread::spawn(move || {
                if over.recv_timeout(limit.saturating_sub(began.elapsed())) == Err(RecvTimeoutError::Timeout) {
                    cancel.store(true, Ordering::Relaxed);
                }
            });
        }
        Timer { cancel, limit, _alive: alive }
    }

    /// The limit, if it was reached.
    pub(super) fn ran_out(&self) -> Option<Duration> {
        self.limit.filter(|_| self.cancel.load(Ordering::Relaxed))
    }
}
