//! A handle that stops running programs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops the programs that were started with it. Clones share the same state.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Stops all running programs, and prevents new ones from starting.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether [`Stop::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
