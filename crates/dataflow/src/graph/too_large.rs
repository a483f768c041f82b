//! Graphs that are too large for an image.

use std::fmt;

/// The maximum number of nodes in an image. Nobody reads larger ones, and their layout takes seconds.
pub(super) const MAX_NODES: usize = 500;

/// Why a graph is too large for an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// It has so many nodes.
    Nodes(usize),
    /// Its edges pass so many other nodes that the layout would take minutes.
    Edges,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Nodes(nodes) => {
                write!(f, "the graph has {nodes} nodes, too many for an image, which can have {MAX_NODES}")
            }
            TooLarge::Edges => f.write_str("the graph has too many long edges for an image"),
        }
    }
}
