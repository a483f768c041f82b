//! The system of a worker, as runs on the CPU engine need it.

use super::free_memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tile_runner::{Alarm, System};

/// The system of a worker.
pub(super) struct WorkerSystem;

impl System for WorkerSystem {
    fn free_memory(&self) -> Option<u64> {
        free_memory::available()
    }

    fn alarm(&self, after: Duration, flag: Arc<AtomicBool>) -> Box<dyn Alarm> {
        let (alive, over) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            if over.recv_timeout(after) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, Ordering::Relaxed);
            }
        });
        Box::new(PendingAlarm { _alive: alive })
    }
}

/// An alarm that ends when the channel is closed.
struct PendingAlarm {
    _alive: mpsc::Sender<()>,
}

impl Alarm for PendingAlarm {}
