//! Idle workers, kept for the next job. What they have opened and loaded is reused: for a GPU, loading takes longer
//! than most kernels run.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tile_backend::worker::{Host, Worker};

/// How long an idle worker is kept. It holds memory of its GPU.
const MAX_IDLE: Duration = Duration::from_secs(600);

/// The maximum number of idle workers.
const MAX_WORKERS: usize = 4;

/// The idle workers, the most recently used at the end.
#[derive(Clone, Default)]
pub(crate) struct Warm(Arc<Mutex<Vec<Waiting>>>);

struct Waiting {
    host: Host,
    worker: Worker,
    /// Dropping this ends the thread of the timeout.
    _needed: mpsc::Sender<()>,
    number: u64,
}

impl Warm {
    /// Takes an idle worker of a host that is still alive.
    pub(crate) fn take(&self, host: &Host) -> Option<Worker> {
        let mut waiting = self.lock();
        while let Some(index) = waiting.iter().rposition(|waiting| waiting.host == *host) {
            let found = waiting.remove(index);
            if found.worker.is_alive() {
                return Some(found.worker);
            }
        }
        None
    }

    /// Keeps a worker for the next job.
    pub(crate) fn keep(&self, host: &Host, worker: Worker) {
        let (needed, over) = mpsc::channel();
        let mut waiting = self.lock();
        let number = waiting.last().map_or(0, |last| last.number + 1);
        waiting.push(Waiting { host: host.clone(), worker, _needed: needed, number });
        let too_many = waiting.len().saturating_sub(MAX_WORKERS);
        let gone: Vec<Waiting> = waiting.drain(..too_many).collect();
        drop(waiting);
        let all = self.0.clone();
        std::thread::spawn(move || {
            // Dropping a worker takes a moment.
            drop(gone);
            if over.recv_timeout(MAX_IDLE) == Err(RecvTimeoutError::Timeout) {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                all.retain(|waiting| waiting.number != number);
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
