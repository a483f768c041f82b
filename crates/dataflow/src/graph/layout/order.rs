//! The order of the items of a region from top to bottom, in which edges lead down, except for those that close a
//! cycle.

use super::items::{Item, Link};
use crate::graph::{Flow, Graph, Kind, NodeId};

impl Graph {
    /// The position of an item: ports of other regions first and last, ops in source order, and memory before the first
    /// load from it; after the first store if that precedes it, and after the last store if there are only stores.
    pub(super) fn position(&self, item: Item, links: &[Link]) -> (usize, usize) {
        match item {
            Item::From(_) => (0, 0),
            Item::To(_) => (usize::MAX, 0),
            Item::Node(id) if matches!(self.node(id).kind, Kind::Buffer(_)) => self.memory_position(id, links),
            Item::Node(NodeId(index)) => (index, 1),
        }
    }

    fn memory_position(&self, id: NodeId, links: &[Link]) -> (usize, usize) {
        let accesses = |flow: Flow| {
            let others = links.iter().filter(|link| link.flow == flow).filter_map(|link| match (link.from, link.to) {
                (Item::Node(from), Item::Node(to)) if from == id => Some(to.0),
                (Item::Node(from), Item::Node(to)) if to == id => Some(from.0),
                _ => None,
            });
            others.collect::<Vec<usize>>()
        };
        let (reads, writes) = (accesses(Flow::Read), accesses(Flow::Write));
        match (reads.iter().min(), writes.iter().min(), writes.iter().max()) {
            (Some(&read), Some(&write), _) if write < read => (write, 2),
            (Some(&read), ..) => (read, 0),
            (None, _, Some(&write)) => (write, 2),
            (None, ..) => (id.0, 0),
        }
    }
}
