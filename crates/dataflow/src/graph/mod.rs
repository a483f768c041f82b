//! The data flow graph of an entry: buffers, accesses, ops on tiles, and loops and branches as nested regions.
//!
//! Loads, stores and the ops between them are included, not the computation of indices, masks and constants.

mod build;
mod controls;
mod dot;
mod json;
pub mod label;
mod layout;
mod merge;
mod objects;
mod relevant;
mod svg;
mod text;
mod too_large;

pub use build::build;
pub use too_large::TooLarge;

use crate::access::{Access, Base, Loop};
use tile_analysis::ir::{OpId, Value};

/// The data flow graph of an entry.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes. A region precedes the nodes in it.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The accesses of the entry, in the order of its ops.
    pub accesses: Vec<Access>,
    /// The loops of the entry.
    pub loops: Vec<Loop>,
    /// The memory that each access can be in.
    pub objects: Vec<Vec<Base>>,
}

/// A node of the graph, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub usize);

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it stands for.
    pub kind: Kind,
    /// The region that contains it.
    pub parent: Option<NodeId>,
    /// Its ops, in source order; empty for buffers.
    pub ops: Vec<OpId>,
    /// The tile it computes, loads or carries, if there is one.
    pub value: Option<Value>,
}

/// The kinds of nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Memory.
    Buffer(Base),
    /// A load, a store or an atomic op, by its index in [`Graph::accesses`].
    Access(usize),
    /// A tile that a loop carries from one iteration to the next.
    Carried,
    /// One op on tiles, or several that compute element by element.
    Operation,
    /// A loop or one side of a branch, by the index of its region.
    Region(usize),
    /// One side of a branch that only ends an iteration, a loop or the tile block, by the index of its region.
    Exit(usize),
}

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// The node that data comes from.
    pub from: NodeId,
    /// The node that data goes to.
    pub to: NodeId,
    /// How it gets there.
    pub flow: Flow,
    /// The tile; `None` for reads and writes.
    pub value: Option<Value>,
}

/// The kinds of edges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flow {
    /// From memory to a load or an atomic op.
    Read,
    /// From a store or an atomic op to memory.
    Write,
    /// A tile.
    Tile,
    /// A tile that selects the accessed elements, such as indices, pointers or a mask; for a region, a value that
    /// decides whether or how often it runs.
    Selection,
    /// A tile for the next iteration.
    Next,
}

impl Graph {
    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The nodes directly in a region, or outside of all regions.
    pub fn children(&self, parent: Option<NodeId>) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len()).map(NodeId).filter(move |&id| self.node(id).parent == parent)
    }

    /// The node directly in `region` that is or contains `id`; `None` if `id` is outside of the region.
    pub fn child_towards(&self, region: Option<NodeId>, id: NodeId) -> Option<NodeId> {
        let mut current = id;
        loop {
            let parent = self.node(current).parent;
            if parent == region {
                return Some(current);
            }
            current = parent?;
        }
    }
}
