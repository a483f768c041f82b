//! Having programs given up before they end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Has the programs given up that were started with it. All its clones are one.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// From now on no program goes on, and none begins.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether somebody has said so.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
