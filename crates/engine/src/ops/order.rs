//! The memory ordering of loads and stores.

use crate::ops::context::OpContext;
use std::sync::atomic::{Ordering, fence};
use tile_dialect::{AttrName, ordering};

/// The memory ordering of a load or a store.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    acquire: bool,
    release: bool,
}

impl Order {
    /// The ordering in the op's attribute.
    pub(crate) fn of(cx: &OpContext<'_>) -> Order {
        let semantics = cx.choice(AttrName::MemoryOrderingSemantics);
        Order {
            acquire: matches!(semantics, ordering::ACQUIRE | ordering::ACQ_REL),
            release: matches!(semantics, ordering::RELEASE | ordering::ACQ_REL),
        }
    }

    /// The fence before the access.
    pub(crate) fn before(self) {
        if self.release {
            fence(Ordering::Release);
        }
    }

    /// The fence after the access.
    pub(crate) fn after(self) {
        if self.acquire {
            fence(Ordering::Acquire);
        }
    }
}
