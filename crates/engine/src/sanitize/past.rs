//! The accesses that precede a point of the program, and which of them an alias fence separates from it.
//!
//! Tokens order accesses through one address. Accesses to the same memory through a multicast address and through a
//! plain one are only ordered with a `memory_fence_alias_tko` between them.

use crate::sanitize::chains::Link;
use crate::sanitize::clock::Clock;

/// The accesses before a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// All accesses before the point.
    accesses: Clock,
    /// Those before the last alias fence.
    fenced: Clock,
}

impl Past {
    pub(crate) fn accesses(&self) -> &Clock {
        &self.accesses
    }

    /// Whether an access comes before.
    pub(crate) fn covers(&self, link: Link) -> bool {
        self.accesses.covers(link)
    }

    /// Whether an access comes before, with an alias fence in between.
    pub(crate) fn is_fenced(&self, link: Link) -> bool {
        self.fenced.covers(link)
    }

    /// The past after one more access, which follows all of this.
    pub(crate) fn and(&self, link: Link) -> Past {
        Past { accesses: self.accesses.and(link), fenced: self.fenced.clone() }
    }

    /// The union of two pasts.
    pub(crate) fn join(&self, other: &Past) -> Past {
        Past { accesses: self.accesses.join(&other.accesses), fenced: self.fenced.join(&other.fenced) }
    }

    /// The past after an alias fence.
    pub(crate) fn fence(&self) -> Past {
        Past { accesses: self.accesses.clone(), fenced: self.accesses.clone() }
    }
}
