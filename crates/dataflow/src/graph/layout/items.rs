//! What is laid out, and the result.

use crate::graph::{Flow, NodeId};
use tile_analysis::ir::Value;

/// A drawing of the nodes in a region, or of the whole graph, from the origin.
pub(in crate::graph) struct Drawing {
    pub(in crate::graph) width: f64,
    pub(in crate::graph) height: f64,
    pub(in crate::graph) boxes: Vec<PlacedBox>,
    pub(in crate::graph) arrows: Vec<PlacedArrow>,
}

/// A node or a port.
pub(in crate::graph) struct PlacedBox {
    pub(in crate::graph) item: Item,
    pub(in crate::graph) x: f64,
    pub(in crate::graph) y: f64,
    pub(in crate::graph) width: f64,
    pub(in crate::graph) height: f64,
    pub(in crate::graph) lines: Vec<String>,
}

/// A curve: the points of cubic Bézier segments, each after the first with its two control points.
pub(in crate::graph) struct PlacedArrow {
    pub(in crate::graph) flow: Flow,
    pub(in crate::graph) start: (f64, f64),
    pub(in crate::graph) segments: Vec<[(f64, f64); 3]>,
    /// Whether the arrowhead is at the start, because the edge leads up.
    pub(in crate::graph) is_reversed: bool,
}

/// A vertex of the layout of one region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::graph) enum Item {
    /// A node in the region.
    Node(NodeId),
    /// The end of edges from outside of the region.
    From(Port),
    /// The end of edges to outside of the region.
    To(Port),
}

/// What enters or leaves a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::graph) struct Port {
    /// A tile; `None` for memory, and for a tile for the next iteration.
    pub(super) value: Option<Value>,
    /// The memory or the carried tile; for a tile, a node outside that computes or uses it.
    pub(in crate::graph) node: NodeId,
}

/// An edge between items of the same region.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) from: Item,
    pub(super) to: Item,
    pub(super) flow: Flow,
}
