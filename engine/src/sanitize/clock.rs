//! What comes before what: the accesses of a run, and clocks that say which of them lie before a token.
//!
//! Accesses are strung on chains: one that waits for the end of a chain lengthens it, any other begins a new one. What
//! lies before a point is then a place on each of a few chains, however many accesses there are. Chains are numbered
//! through the whole launch, so that tile blocks can hand clocks to each other through memory.

use crate::sanitize::chains::{Chains, Link};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tile_analysis::ir::OpId;

/// The accesses that come before a point: those on each chain up to and including a place.
#[derive(Clone, Debug)]
pub(crate) enum Clock {
    /// On a few chains, by their numbers.
    Few(Option<Arc<[Link]>>),
    /// On many.
    Many(Chains),
}

/// More chains than this are many: adding one to a few copies all of them.
const FEW: usize = 64;
/// So many of the last chains of a clock are looked at for one that goes on.
const LOOKS: usize = 64;

/// An access, by number; 0 is none.
pub(crate) type EventId = u32;

/// One access to memory: an op of a tile block that ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// Where it stands.
    pub(crate) link: Link,
    /// The op.
    pub(crate) op: OpId,
    /// The tile block, by the order in which they ran.
    pub(crate) block: u32,
    /// Whether it writes.
    pub(crate) writes: bool,
    /// Whether accesses by other ops at the same time are harmless.
    pub(crate) strength: Strength,
    /// How many times a `loop` had begun in the tile block.
    pub(crate) loops_begun: u32,
    /// Whether it names the memory through a multicast object.
    pub(crate) multicast: bool,
}

/// Which accesses at the same time are harmless.
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
    /// The last place of each chain.
    ends: Vec<u32>,
    /// How many accesses there may be until some are forgotten.
    limit: usize,
}

impl Default for Events {
    fn default() -> Events {
        Events { list: Vec::new(), ends: Vec::new(), limit: MANY }
    }
}

/// How many accesses there are at the least before those are forgotten that nothing names any more.
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

    /// What comes before a point behind an access that all this comes before.
    pub(crate) fn and(&self, link: Link) -> Clock {
        self.join(&Clock::Few(Some([link].into())))
    }

    /// What comes before one of two points.
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
        // Of two places on one chain the later one stays.
        all.sort_unstable_by_key(|link| (link.chain, std::cmp::Reverse(link.place)));
        all.dedup_by_key(|link| link.chain);
        if all.len() > FEW { Clock::Many(Chains::of(&all)) } else { Clock::Few(Some(all.into())) }
    }

    fn many(mut chains: Chains, links: &[Link]) -> Clock {
        links.iter().for_each(|&link| chains.add(link));
        Clock::Many(chains)
    }

    /// The places on few chains.
    fn few(&self) -> &[Link] {
        match self {
            Clock::Few(links) => links.as_deref().unwrap_or_default(),
            Clock::Many(_) => &[],
        }
    }

    /// A place that is the end of its chain, if one of the last chains goes no further.
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
    /// Adds an access that what is in `before` comes before. Gives its number, and its place; `None` where
    /// there are too many to number their chains.
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

    /// Whether it is time to forget accesses.
    pub(crate) fn are_many(&self) -> bool {
        self.list.len() >= self.limit
    }

    /// Forgets all accesses but those that `keep` asks for, which gives them their new numbers.
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

    /// An access behind what is in `before`, and the clock behind it.
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
        // The chain has gone on with `b`, so `d` begins another one, and neither covers the other.
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
