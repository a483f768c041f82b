//! A graph as indented text for terminals.

use super::label::Labels;
use super::{Kind, NodeId};
use std::fmt::Write;
use tile_analysis::ir::OpId;

impl Labels<'_> {
    /// The nodes in source order, one line each, nested by region. `line` returns the line of an op in the file.
    pub fn text(&self, line: &dyn Fn(OpId) -> usize) -> String {
        let mut out = String::new();
        self.level(None, 0, line, &mut out);
        out
    }

    fn level(&self, parent: Option<NodeId>, depth: usize, line: &dyn Fn(OpId) -> usize, out: &mut String) {
        for id in self.graph.children(parent) {
            let node = self.graph.node(id);
            if matches!(node.kind, Kind::Buffer(_)) {
                continue;
            }
            let place = node.ops.last().map_or(0, |&op| line(op));
            let _ = writeln!(
                out,
                "{place:>4}  {:indent$}{}{}",
                "",
                self.lines(id).join(" · "),
                self.inputs(id),
                indent = 2 * depth
            );
            self.level(Some(id), depth + 1, line, out);
        }
    }

    /// The tiles that a node uses. The text of a region contains what decides whether it runs.
    fn inputs(&self, id: NodeId) -> String {
        if matches!(self.graph.node(id).kind, Kind::Region(_)) {
            return String::new();
        }
        let edges = self.graph.edges.iter().filter(|edge| edge.to == id);
        let values = edges.filter_map(|edge| edge.value);
        let mut names: Vec<String> = values.map(|value| self.names.value(value).into_owned()).collect();
        names.dedup();
        if names.is_empty() { String::new() } else { format!(" ← {}", names.join(", ")) }
    }
}
