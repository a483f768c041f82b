//! The queue of requests of a worker.

use super::protocol::Request;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Mutex, PoisonError};

/// The requests of the client, in order.
pub(super) struct Requests(pub(super) Mutex<Receiver<Request>>);

impl Requests {
    /// Waits for the next request. Returns `None` when the client is gone.
    pub(super) fn next(&self) -> Option<Request> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    }

    /// Returns the next request without waiting.
    pub(super) fn waiting(&self) -> Result<Request, TryRecvError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv()
    }
}
