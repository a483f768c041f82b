//! A graph in the DOT language of Graphviz.

use super::label::Labels;
use super::{Flow, Kind, NodeId};
use std::fmt::Write;

impl Labels<'_> {
    /// The graph in DOT, with regions as clusters.
    pub fn dot(&self, name: &str) -> String {
        let mut out =
            format!("digraph {} {{\n  compound=true;\n  node [shape=box, fontname=\"monospace\"];\n", quoted(name));
        self.dot_level(None, 1, &mut out);
        for edge in &self.graph.edges {
            let mut attributes = match edge.flow {
                Flow::Next => vec!["style=dashed".to_string(), "constraint=false".to_string()],
                Flow::Selection => vec!["style=dotted".to_string()],
                Flow::Read | Flow::Write => vec!["penwidth=2".to_string()],
                Flow::Tile => Vec::new(),
            };
            // An edge leads to a node of a cluster, and is clipped at its border. It cannot begin in the same cluster.
            let Some(to) = self.first_inside(edge.to) else { continue };
            if self.graph.child_towards(Some(edge.to), edge.from).is_some() {
                continue;
            }
            if to != edge.to {
                attributes.push(format!("lhead=cluster_{}", edge.to.0));
            }
            let attributes = attributes.join(", ");
            let style = if attributes.is_empty() { String::new() } else { format!(" [{attributes}]") };
            let _ = writeln!(out, "  n{} -> n{}{style};", edge.from.0, to.0);
        }
        out + "}\n"
    }

    /// The node itself, or the first one in a region; `None` if the region is empty.
    fn first_inside(&self, id: NodeId) -> Option<NodeId> {
        match self.graph.node(id).kind {
            Kind::Region(_) => self.graph.children(Some(id)).find_map(|child| self.first_inside(child)),
            _ => Some(id),
        }
    }

    fn dot_level(&self, parent: Option<NodeId>, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        for id in self.graph.children(parent) {
            let label = quoted(&self.lines(id).join("\n"));
            match self.graph.node(id).kind {
                Kind::Region(_) => {
                    let _ = writeln!(out, "{indent}subgraph cluster_{} {{\n{indent}  label={label};", id.0);
                    self.dot_level(Some(id), depth + 1, out);
                    let _ = writeln!(out, "{indent}}}");
                }
                Kind::Buffer(_) => {
                    let _ = writeln!(out, "{indent}n{} [shape=cylinder, label={label}];", id.0);
                }
                _ => {
                    let _ = writeln!(out, "{indent}n{} [label={label}];", id.0);
                }
            }
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
