//! Lists of accesses, of which many share their ends: neighbouring memory mostly was accessed alike.

use crate::sanitize::clock::{EventId, Events, Strength};
use rustc_hash::FxHashMap;

/// A list, by number; 0 is the empty one.
pub(crate) type ListId = u32;

/// All lists.
#[derive(Debug)]
pub(crate) struct Lists {
    nodes: Vec<Node>,
    /// How many nodes there may be until some are forgotten.
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
    /// Its first access: the last one that was added.
    pub(crate) event: EventId,
    /// The others.
    pub(crate) rest: ListId,
    /// How many there are.
    length: u32,
    /// Whether one of them writes.
    pub(crate) writes: bool,
    /// The least strength among them.
    pub(crate) strength: Strength,
}

/// How many nodes there are at the least before those are forgotten that belong to no list any more.
const MANY: usize = if cfg!(test) { 256 } else { 1 << 24 };

/// No list is longer: then the first access makes place for a new one. It is the only one that may be of the same tile
/// block as those to come.
const LONGEST: u32 = 64;

impl Lists {
    /// A list that is not empty.
    pub(crate) fn get(&self, list: ListId) -> Option<&Node> {
        self.nodes.get((list as usize).checked_sub(1)?)
    }

    /// The list with one more access in front.
    pub(crate) fn add(&mut self, events: &Events, event: EventId, rest: ListId) -> ListId {
        let rest = match self.get(rest) {
            Some(node) if node.length >= LONGEST => node.rest,
            _ => rest,
        };
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

    /// Whether it is time to forget lists.
    pub(crate) fn are_many(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    /// All lists that are needed have moved.
    pub(crate) fn have_moved(&mut self) {
        self.limit = MANY.max(2 * self.nodes.len());
    }

    /// Moves lists to new ones, whose accesses have other numbers.
    pub(crate) fn moved(&mut self) -> Moved {
        Moved { old: std::mem::take(&mut self.nodes), numbers: FxHashMap::default() }
    }
}

/// Lists on their way.
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
        // From the front to what has moved already, and back: a list is not long.
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
