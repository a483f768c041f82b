//! A graph in the DOT language of Graphviz.

use super::label::Labels;
use super::{Flow, Kind, NodeId};
use std::fmt::Write;

impl Labels<'_> {
    /// The graph in DOT, with tasks as clusters.
    pub fn dot(&self, name: &str) -> String {
        let mut out =
            format!("digraph {} {{\n  compound=true;\n  node [shape=box, fontname=\"monospace\"];\n", quoted(name));
        self.dot_level(None, 1, &mut out);
        for edge in &self.graph.edges {
            let style = match edge.flow {
                Flow::Next => " [style=dashed, constraint=false]",
                Flow::Selection => " [style=dotted]",
                Flow::Read | Flow::Write => " [penwidth=2]",
                Flow::Tile => "",
            };
            let _ = writeln!(out, "  n{} -> n{}{style};", edge.from.0, edge.to.0);
        }
        out + "}\n"
    }

    fn dot_level(&self, parent: Option<NodeId>, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        for id in self.graph.children(parent) {
            let label = quoted(&self.lines(id).join("\n"));
            match self.graph.node(id).kind {
                Kind::Task => {
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
