//! Idle workers that have run a job, kept for the next one. Their open files and loaded drivers are reused; for a GPU,
//! loading takes longer than most kernels run.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tile_backend::worker::{Host, Worker};

/// How long an idle worker is kept. It holds memory of its GPU.
const MAX_IDLE: Duration = Duration::from_secs(600);

/// The maximum number of idle workers.
const MOST: usize = 4;

/// The idle workers, the most recently used one last.
#[derive(Clone, Default)]
pub(crate) struct Warm(Arc<Mutex<Vec<Waiting>>>);

struct Waiting {
    place: Host,
    worker: Worker,
    /// Dropping this notifies the thread that runs the timer.
    _needed: mpsc::Sender<()>,
    number: u64,
}

impl Warm {
    /// Takes an idle worker of a host, if one is alive.
    pub(crate) fn take(&self, place: &Host) -> Option<Worker> {
        let mut waiting = self.lock();
        while let Some(index) = waiting.iter().rposition(|waiting| waiting.place == *place) {
            let found = waiting.remove(index);
            if found.worker.is_alive() {
                return Some(found.worker);
            }
        }
        None
    }

    /// Keeps a worker for some time.
    pub(crate) fn keep(&self, place: &Host, worker: Worker) {
        let (needed, over) = mpsc::channel();
        let mut waiting = self.lock();
        let number = waiting.last().map_or(0, |last| last.number + 1);
        waiting.push(Waiting { place: place.clone(), worker, _needed: needed, number });
        let too_many = waiting.len().saturating_sub(MOST);
        let gone: Vec<Waiting> = waiting.drain(..too_many).collect();
        drop(waiting);
        let all = self.0.clone();
        std::thread::spawn(move || {
            // Ending a worker takes time.
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
