//! The time limit of a run.

use crate::run::Run;
use crate::system::Alarm;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Cancels a run that takes too long. Dropping it stops the timer.
pub struct Timer {
    /// Set when the time limit is reached.
    pub(crate) cancel: Arc<AtomicBool>,
    limit: Option<Duration>,
    _alarm: Option<Box<dyn Alarm>>,
}

impl Run<'_> {
    /// Starts a timer with the time limit of the run.
    pub fn timer(&self) -> Timer {
        self.timer_after(Duration::ZERO)
    }

    /// Starts a timer with the rest of the time limit.
    pub(crate) fn resumed_timer(&self) -> Timer {
        self.timer_after(self.began.elapsed())
    }

    fn timer_after(&self, passed: Duration) -> Timer {
        let cancel = Arc::new(AtomicBool::new(false));
        let limit = self.settings.timeout_ms.map(Duration::from_millis);
        let alarm = limit.map(|limit| self.system.alarm(limit.saturating_sub(passed), cancel.clone()));
        Timer { cancel, limit, _alarm: alarm }
    }
}

impl Timer {
    /// The limit, if it was reached.
    pub(crate) fn ran_out(&self) -> Option<Duration> {
        self.limit.filter(|_| self.cancel.load(Ordering::Relaxed))
    }
}
