//! Workers that have done a job and wait for the next one: what they have opened and loaded need not be opened and loaded
//! again, which for a GPU takes longer than most kernels run.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tile_backend::worker::{Host, Worker};

/// After how long a worker ends that nobody needs. It holds memory of its GPU.
const MAX_IDLE: Duration = Duration::from_secs(600);

/// How many workers wait at most.
const MOST: usize = 4;

/// The workers that wait, the last one that did a job at the end.
#[derive(Clone, Default)]
pub(crate) struct Warm(Arc<Mutex<Vec<Waiting>>>);

struct Waiting {
    place: Host,
    worker: Worker,
    /// Dropped, it tells the thread that counts the time.
    _needed: mpsc::Sender<()>,
    number: u64,
}

impl Warm {
    /// A worker that waits at a place, if there is one that lives.
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

    /// Keeps a worker for a while.
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
            // A worker takes a moment to end.
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
