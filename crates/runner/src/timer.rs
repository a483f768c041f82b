//! The time limit of a run.

use crate::system::{Alarm, System};
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

impl Timer {
    /// Starts a timer of which some time has passed.
    pub(crate) fn start(limit_ms: Option<u64>, passed: Duration, system: &dyn System) -> Timer {
        let cancel = Arc::new(AtomicBool::new(false));
        let limit = limit_ms.map(Duration::from_millis);
        let alarm = limit.map(|limit| system.alarm(limit.saturating_sub(passed), cancel.clone()));
        Timer { cancel, limit, _alarm: alarm }
    }

    /// The limit, if it was reached.
    pub(crate) fn ran_out(&self) -> Option<Duration> {
        self.limit.filter(|_| self.cancel.load(Ordering::Relaxed))
    }
}
