//! Merges chains of ops that compute element by element or rearrange elements into one node.

use super::{Edge, Flow, Graph, Kind, NodeId};
use tile_analysis::ir::{Body, Op};
use tile_dialect::{OperandName, Rule};

/// Merges each simple op whose result only one other simple op of the same region uses with that op.
pub(super) fn merge(body: &Body, graph: Graph) -> Graph {
    let count = graph.nodes.len();
    let mut target: Vec<usize> = (0..count).collect();
    // A consumer follows its producer, so its own target is known.
    for id in (0..count).rev() {
        if let Some(consumer) = only_consumer(body, &graph, NodeId(id)) {
            target[id] = target[consumer.0];
        }
    }
    let kept: Vec<usize> = (0..count).filter(|&id| target[id] == id).collect();
    let number = |id: usize| kept.iter().position(|&kept| kept == target[id]).unwrap_or(0);
    let mut nodes: Vec<_> = kept.iter().map(|&id| graph.nodes[id].clone()).collect();
    for id in (0..count).filter(|&id| target[id] != id) {
        nodes[number(id)].ops.extend(&graph.nodes[id].ops);
    }
    for node in &mut nodes {
        node.ops.sort_unstable();
        node.parent = node.parent.map(|parent| NodeId(number(parent.0)));
    }
    let mut edges: Vec<Edge> = Vec::new();
    for edge in &graph.edges {
        let edge = Edge { from: NodeId(number(edge.from.0)), to: NodeId(number(edge.to.0)), ..*edge };
        if edge.from != edge.to && !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    Graph { nodes, edges, ..graph }
}

fn only_consumer(body: &Body, graph: &Graph, id: NodeId) -> Option<NodeId> {
    let mut edges = graph.edges.iter().filter(|edge| edge.from == id);
    let (first, None) = (edges.next()?, edges.next()) else { return None };
    let joins = first.flow == Flow::Tile
        && graph.node(id).parent == graph.node(first.to).parent
        && is_simple(body, graph, id)
        && is_simple(body, graph, first.to);
    joins.then_some(first.to)
}

fn is_simple(body: &Body, graph: &Graph, id: NodeId) -> bool {
    let node = graph.node(id);
    node.kind == Kind::Operation && node.ops.iter().all(|&op| op_is_simple(body.op(op)))
}

/// Whether an op is neither a reduction, a scan nor a matrix product.
fn op_is_simple(op: &Op) -> bool {
    let row = op.op.row();
    let is_elementwise =
        |rule: &Rule| matches!(rule, Rule::SameType(names) if names.contains(&"lhs") && names.contains(&"acc"));
    let is_product = row.operand(OperandName::Acc).is_some() && !row.rules.iter().any(is_elementwise);
    row.regions.is_empty() && !is_product
}
