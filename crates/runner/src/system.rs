//! What a run needs from the system that it runs on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The system that a run runs on.
pub trait System: Sync {
    /// The available memory in bytes; `None` if unknown.
    fn free_memory(&self) -> Option<u64>;

    /// Sets a flag after a time, unless the alarm is dropped before.
    fn alarm(&self, after: Duration, flag: Arc<AtomicBool>) -> Box<dyn Alarm>;
}

/// A pending alarm. Dropping it cancels it.
pub trait Alarm {}
