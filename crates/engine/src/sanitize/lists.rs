//! Lists of accesses with shared tails: adjacent memory was mostly accessed in the same way.

use crate::sanitize::clock::{EventId, Events, Strength};
use rustc_hash::FxHashMap;

/// A list, by number; 0 is the empty one.
pub(crate) type ListId = u32;

/// The storage of all lists.
#[derive(Debug)]
pub(crate) struct Lists {
    nodes: Vec<Node>,
    /// The number of nodes that triggers a cleanup.
    limit: usize,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { nodes: Vec::new(), limit: MANY }
    }
}

/// One list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The head: the most recently added access.
    pub(crate) event: EventId,
    /// The tail.
    pub(crate) rest: ListId,
    /// The length.
    length: u32,
    /// Whether an access in it writes.
    pub(crate) writes: bool,
    /// The minimum strength of its accesses.
    pub(crate) strength: Strength,
}

/// The minimum number of nodes before a cleanup of unused ones.
const MANY: usize = if cfg!(test) { 256 } else { 1 << 24 };

/// The maximum length of a list: beyond it, one of the accesses that conflict with the fewest others is dropped.
const LONGEST: u32 = 64;

impl Lists {
    /// A non-empty list.
    pub(crate) fn get(&self, list: ListId) -> Option<&Node> {
        self.nodes.get((list as usize).checked_sub(1)?)
    }

    /// Prepends an access to a list, unless the list is full and the access conflicts with fewer others than all in it.
    pub(crate) fn add(&mut self, events: &Events, event: EventId, rest: ListId) -> ListId {
        if self.get(rest).is_none_or(|node| node.length < LONGEST) {
            return self.prepend(events, event, rest);
        }
        let all: Vec<EventId> = self.events(rest).collect();
        // Of equals, the newest is dropped. It is most likely of the running tile block, whose later accesses may
        // follow it.
        let (dropped, harmless) = all
            .iter()
            .enumerate()
            .map(|(index, &event)| (index, events.get(event).harmlessness()))
            .reduce(|found, next| if next.1 > found.1 { next } else { found })
            .expect("a full list is not empty");
        if events.get(event).harmlessness() > harmless {
            return rest;
        }
        let older = self.get_after(rest, dropped);
        let newer = all[..dropped].iter().rev();
        let rest = newer.fold(older, |list, &event| self.prepend(events, event, list));
        self.prepend(events, event, rest)
    }

    /// The part of a list after the access at an index.
    fn get_after(&self, list: ListId, index: usize) -> ListId {
        (0..=index).fold(list, |list, _| self.get(list).map_or(0, |node| node.rest))
    }

    fn prepend(&mut self, events: &Events, event: EventId, rest: ListId) -> ListId {
        let next = self.get(rest);
        let length = next.map_or(1, |next| next.length + 1);
        let own = events.get(event);
        let writes = own.writes || next.is_some_and(|next| next.writes);
        let strength = next.map_or(own.strength, |next| next.strength.min(own.strength));
        self.nodes.push(Node { event, rest, length, writes, strength });
        self.nodes.len() as ListId
    }

    /// The accesses of a list.
    pub(crate) fn events(&self, list: ListId) -> impl Iterator<Item = EventId> + '_ {
        std::iter::successors(self.get(list), |node| self.get(node.rest)).map(|node| node.event)
    }

    /// Whether a cleanup is due.
    pub(crate) fn are_many(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    /// Ends a cleanup: all needed lists have been copied.
    pub(crate) fn have_moved(&mut self) {
        self.limit = MANY.max(2 * self.nodes.len());
    }

    /// Copies lists to new storage, whose accesses have other numbers.
    pub(crate) fn moved(&mut self) -> Moved {
        Moved { old: std::mem::take(&mut self.nodes), numbers: FxHashMap::default() }
    }
}

/// The state of a cleanup.
pub(crate) struct Moved {
    old: Vec<Node>,
    numbers: FxHashMap<ListId, ListId>,
}

impl Moved {
    /// The new number of a list.
    pub(crate) fn list(
        &mut self,
        lists: &mut Lists,
        list: ListId,
        event: &mut dyn FnMut(EventId) -> EventId,
    ) -> ListId {
        // Walks to the part that is already copied, and back: lists are short.
        let mut waiting = Vec::new();
        let mut at = list;
        while at != 0 && !self.numbers.contains_key(&at) {
            waiting.push(at);
            at = self.old[at as usize - 1].rest;
        }
        let mut rest = self.numbers.get(&at).copied().unwrap_or(0);
        for &list in waiting.iter().rev() {
            let node = self.old[list as usize - 1];
            lists.nodes.push(Node { event: event(node.event), rest, ..node });
            rest = lists.nodes.len() as ListId;
            self.numbers.insert(list, rest);
        }
        rest
    }
}
