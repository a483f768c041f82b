//! The order of loads and stores with other memory accesses.

use crate::ops::context::OpContext;
use std::sync::atomic::{Ordering, fence};
use tile_dialect::{AttrName, ordering};

/// How a load or a store is ordered.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    acquire: bool,
    release: bool,
}

impl Order {
    /// What the op says of itself.
    pub(crate) fn of(cx: &OpContext<'_>) -> Order {
        let said = cx.choice(AttrName::MemoryOrderingSemantics);
        Order {
            acquire: matches!(said, ordering::ACQUIRE | ordering::ACQ_REL),
            release: matches!(said, ordering::RELEASE | ordering::ACQ_REL),
        }
    }

    /// Stands before the access.
    pub(crate) fn before(self) {
        if self.release {
            fence(Ordering::Release);
        }
    }

    /// Stands behind the access.
    pub(crate) fn after(self) {
        if self.acquire {
            fence(Ordering::Acquire);
        }
    }
}
