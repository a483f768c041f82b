//! What the caller of a worker asks for.

use super::protocol::Request;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Mutex, PoisonError};

/// What the caller asks for, in its order.
pub(super) struct Requests(pub(super) Mutex<Receiver<Request>>);

impl Requests {
    /// The next one; `None` when the caller is gone.
    pub(super) fn next(&self) -> Option<Request> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
    }

    /// The next one if it is there.
    pub(super) fn waiting(&self) -> Result<Request, TryRecvError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).try_recv()
    }
}
