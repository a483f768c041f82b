//! The thread that waits for a run: it prints, and handles signals.

use crate::listener::Event;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the waiting thread lets Python handle signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// Reports the end of a run, even if it panics.
pub(crate) struct SendEnded(pub(crate) Sender<Event>);

impl Drop for SendEnded {
    fn drop(&mut self) {
        // The receiver is only gone if the run is cancelled.
        let _ = self.0.send(Event::Ended);
    }
}

/// The thread of the caller, which prints and handles signals until the run has ended.
pub(crate) struct Waiting<'a, 'py> {
    pub(crate) received: Receiver<Event>,
    pub(crate) cancel: &'a AtomicBool,
    pub(crate) limit: Option<Instant>,
    pub(crate) print: &'a Bound<'py, PyAny>,
}

impl Waiting<'_, '_> {
    /// Waits until the run has ended. Returns whether it was cancelled at its time limit. Raises the exception of a
    /// signal handler or of `print`, which cancel the run.
    pub(crate) fn wait(self, py: Python<'_>) -> PyResult<bool> {
        let mut timed_out = false;
        let waited = loop {
            let wait = self.limit.map_or(SIGNALS, |limit| limit.saturating_duration_since(Instant::now()).min(SIGNALS));
            let handled = match self.next(py, if timed_out { SIGNALS } else { wait }) {
                Ok(Event::Printed(text)) => {
                    self.print.call1((PyString::new(py, &String::from_utf8_lossy(&text)),)).map(|_| ())
                }
                Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => break Ok(timed_out),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
            };
            if handled.is_err() {
                break handled.map(|()| false);
            }
            if self.limit.is_some_and(|limit| limit <= Instant::now()) {
                timed_out = true;
                self.cancel.store(true, Ordering::Relaxed);
            }
        };
        self.cancel.store(true, Ordering::Relaxed);
        waited
    }

    fn next(&self, py: Python<'_>, wait: Duration) -> Result<Event, RecvTimeoutError> {
        let received = &self.received;
        received.try_recv().or_else(|_| py.detach(move || received.recv_timeout(wait)))
    }
}
