//! The accesses before a point of the program, and those of them that an alias fence separates from it.
//!
//! Tokens order accesses through one address. Accesses to the same memory through a multicast address and through a plain
//! one are ordered only if a `memory_fence_alias_tko` lies between them as well.

use super::chains::Link;
use super::clock::Clock;

/// The accesses before a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// All of them.
    accesses: Clock,
    /// Those before the last alias fence.
    fenced: Clock,
}

impl Past {
    /// All accesses.
    pub(super) fn accesses(&self) -> &Clock {
        &self.accesses
    }

    /// Whether an access comes before.
    pub(super) fn covers(&self, link: Link) -> bool {
        self.accesses.covers(link)
    }

    /// Whether an access comes before, and an alias fence in between.
    pub(super) fn is_fenced(&self, link: Link) -> bool {
        self.fenced.covers(link)
    }

    /// The past after one more access, which follows all of this.
    pub(super) fn and(&self, link: Link) -> Past {
        Past { accesses: self.accesses.and(link), fenced: self.fenced.clone() }
    }

    /// The union of two pasts.
    pub(super) fn join(&self, other: &Past) -> Past {
        Past { accesses: self.accesses.join(&other.accesses), fenced: self.fenced.join(&other.fenced) }
    }

    /// The past after an alias fence.
    pub(super) fn fence(&self) -> Past {
        Past { accesses: self.accesses.clone(), fenced: self.accesses.clone() }
    }
}
