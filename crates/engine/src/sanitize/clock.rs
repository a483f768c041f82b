//! Happens-before: the accesses of a run, and clocks that say which of them precede a token.
//!
//! Accesses form chains: one that follows the end of a chain extends it, any other begins a new one. The accesses
//! before a point are then given by positions on a few chains, however many accesses there are. Chains are numbered
//! through the whole launch, so that tile blocks can pass clocks to each other through memory.

use crate::sanitize::chains::{Chains, Link};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_analysis::ir::OpId;

/// The accesses before a point: those on each chain up to and including a position.
#[derive(Clone, Debug)]
pub(crate) enum Clock {
    /// Positions on a few chains, sorted by number.
    Few(Option<Arc<[Link]>>),
    /// Positions on many chains.
    Many(Chains),
}

/// The maximum number of chains for the simple representation, which is copied for each addition.
const FEW: usize = 64;
/// How many of a clock's last chains are tried for extension.
const LOOKS: usize = 64;

/// An access, by number; 0 is none.
pub(crate) type EventId = u32;

/// One access to memory: an op of a tile block that ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// Its position.
    pub(crate) link: Link,
    /// The op.
    pub(crate) op: OpId,
    /// The tile block, in execution order.
    pub(crate) block: u32,
    /// Whether it writes.
    pub(crate) writes: bool,
    /// Which concurrent accesses by other ops are harmless.
    pub(crate) strength: Strength,
    /// How many times a `loop` had begun in the tile block.
    pub(crate) loops_begun: u32,
    /// Whether it addresses the memory through a multicast object.
    pub(crate) multicast: bool,
}

impl Event {
    /// How few accesses it conflicts with, for comparisons.
    pub(crate) fn harmlessness(&self) -> (Strength, bool) {
        (self.strength, !self.writes)
    }
}

/// Which concurrent accesses are harmless.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Strength {
    /// None: the access is weak.
    Weak,
    /// Strong ones of the same tile block.
    Block,
    /// Strong ones of all tile blocks.
    Device,
}

/// The accesses of a launch.
#[derive(Debug)]
pub(crate) struct Events {
    list: Vec<Event>,
    /// The last position of each chain.
    ends: Vec<u32>,
    /// The number of accesses that triggers a cleanup.
    limit: usize,
}

impl Default for Events {
    fn default() -> Events {
        Events { list: Vec::new(), ends: Vec::new(), limit: MANY }
    }
}

/// The minimum number of accesses before a cleanup of unreferenced ones.
const MANY: usize = if cfg!(test) { 64 } else { 1 << 22 };

impl Default for Clock {
    fn default() -> Clock {
        Clock::Few(None)
    }
}

impl Clock {
    /// Whether an access comes before.
    pub(crate) fn covers(&self, link: Link) -> bool {
        let place = match self {
            Clock::Many(chains) => chains.place(link.chain),
            Clock::Few(_) => {
                let links = self.few();
                links.binary_search_by_key(&link.chain, |own| own.chain).ok().map(|index| links[index].place)
            }
        };
        place.is_some_and(|place| link.place <= place)
    }

    /// The accesses before a point that follows an access with this clock.
    pub(crate) fn and(&self, link: Link) -> Clock {
        self.join(&Clock::Few(Some([link].into())))
    }

    /// The union of two clocks.
    pub(crate) fn join(&self, other: &Clock) -> Clock {
        match (self, other) {
            (Clock::Many(many), Clock::Few(_)) => Clock::many(many.clone(), other.few()),
            (Clock::Few(_), Clock::Many(many)) => Clock::many(many.clone(), self.few()),
            (Clock::Many(own), Clock::Many(other)) => {
                let mut own = own.clone();
                own.join(other);
                Clock::Many(own)
            }
            (Clock::Few(_), Clock::Few(_)) => self.join_few(other),
        }
    }

    fn join_few(&self, other: &Clock) -> Clock {
        let (a, b) = (self.few(), other.few());
        if b.is_empty() || a == b {
            return self.clone();
        }
        if a.is_empty() {
            return other.clone();
        }
        let mut all: Vec<Link> = a.iter().chain(b).copied().collect();
        // Of two positions on one chain, the later one counts.
        all.sort_unstable_by_key(|link| (link.chain, std::cmp::Reverse(link.place)));
        all.dedup_by_key(|link| link.chain);
        if all.len() > FEW { Clock::Many(Chains::of(&all)) } else { Clock::Few(Some(all.into())) }
    }

    fn many(mut chains: Chains, links: &[Link]) -> Clock {
        links.iter().for_each(|&link| chains.add(link));
        Clock::Many(chains)
    }

    /// The positions, if there are few chains.
    fn few(&self) -> &[Link] {
        match self {
            Clock::Few(links) => links.as_deref().unwrap_or_default(),
            Clock::Many(_) => &[],
        }
    }

    /// A position that is the end of its chain, among the last chains.
    fn open(&self, ends: &[u32]) -> Option<Link> {
        let is_open = |link: &Link| ends[link.chain as usize] == link.place;
        let Clock::Many(chains) = self else { return self.few().iter().rev().copied().find(is_open) };
        let (mut found, mut looks) = (None, 0);
        chains.newest(&mut |link| {
            looks += 1;
            found = Some(link).filter(is_open);
            found.is_some() || looks == LOOKS
        });
        found
    }
}

impl Events {
    /// Adds an access that follows those in `before`. Returns its number and its position; `None` if there are too many
    /// to number their chains.
    pub(crate) fn add(&mut self, before: &Clock, event: impl FnOnce(Link) -> Event) -> Option<(EventId, Link)> {
        if self.ends.len() >= u32::MAX as usize {
            return None;
        }
        let link = match before.open(&self.ends) {
            Some(link) => Link { chain: link.chain, place: link.place + 1 },
            None => Link { chain: self.ends.len() as u32, place: 0 },
        };
        match self.ends.get_mut(link.chain as usize) {
            Some(end) => *end = link.place,
            None => self.ends.push(link.place),
        }
        self.list.push(event(link));
        Some((self.list.len() as EventId, link))
    }

    /// Whether a cleanup is due.
    pub(crate) fn are_many(&self) -> bool {
        self.list.len() >= self.limit
    }

    /// Drops all accesses except those that `keep` visits, which receives their new numbers.
    pub(crate) fn forget(&mut self, keep: impl FnOnce(&mut dyn FnMut(EventId) -> EventId)) {
        let old = std::mem::take(&mut self.list);
        let mut numbers: FxHashMap<EventId, EventId> = FxHashMap::default();
        keep(&mut |id| {
            if id == 0 {
                return 0;
            }
            *numbers.entry(id).or_insert_with(|| {
                self.list.push(old[id as usize - 1]);
                self.list.len() as EventId
            })
        });
        self.limit = MANY.max(2 * self.list.len());
    }

    /// An access.
    pub(crate) fn get(&self, id: EventId) -> &Event {
        &self.list[id as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(link: Link) -> Event {
        let (op, block, strength) = (OpId(0), 0, Strength::Weak);
        Event { link, op, block, writes: true, strength, loops_begun: 0, multicast: false }
    }

    /// An access after those in `before`, and the clock after it.
    fn add(events: &mut Events, before: &Clock) -> (EventId, Clock) {
        let (id, link) = events.add(before, event).unwrap();
        (id, before.and(link))
    }

    #[test]
    fn tokens_order_and_the_text_does_not() {
        let mut events = Events::default();
        let (a, after_a) = add(&mut events, &Clock::default());
        let (b, after_b) = add(&mut events, &after_a);
        let (c, after_c) = add(&mut events, &Clock::default());
        let (d, after_d) = add(&mut events, &after_a);
        let link = |id| events.get(id).link;
        assert!(after_b.covers(link(a)) && after_b.covers(link(b)));
        assert!(!after_b.covers(link(c)) && !after_c.covers(link(a)));
        // The chain was extended with `b`, so `d` begins another one, and neither covers the other.
        assert!(after_d.covers(link(a)) && !after_d.covers(link(b)) && !after_b.covers(link(d)));
        let joined = after_b.join(&after_c).join(&after_d);
        assert!([a, b, c, d].iter().all(|&id| joined.covers(link(id))));
    }

    #[test]
    fn clocks_of_many_chains_say_the_same_as_those_of_few() {
        let mut events = Events::default();
        let (mut all, mut ids) = (Clock::default(), Vec::new());
        for _ in 0..1000 {
            let (id, after) = add(&mut events, &Clock::default());
            (all, ids) = (all.join(&after), [ids, vec![id]].concat());
        }
        assert!(matches!(all, Clock::Many(_)));
        let (last, after) = add(&mut events, &all);
        let (other, beside) = add(&mut events, &all);
        let link = |id| events.get(id).link;
        assert!(ids.iter().all(|&id| all.covers(link(id)) && after.covers(link(id)) && beside.covers(link(id))));
        assert!(!all.covers(link(last)) && after.covers(link(last)) && !after.covers(link(other)));
        let joined = after.join(&beside);
        assert!(joined.covers(link(last)) && joined.covers(link(other)));
    }
}
