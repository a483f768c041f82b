//! A graph as an SVG image.

use super::label::Labels;
use super::layout::{Item, LINE, PADDING, PlacedArrow, PlacedBox};
use super::too_large::{MAX_NODES, TooLarge};
use super::{Flow, Kind};
use std::fmt::Write;
use tile_analysis::ir::OpId;

/// Colors follow the theme of the viewer where it defines CSS variables, as VS Code does.
const STYLE: &str = "\
.graph { font: 12px ui-monospace, Menlo, Consolas, monospace; }
.graph text { white-space: pre; fill: var(--vscode-editor-foreground, #24292f); }
.graph rect { stroke: var(--vscode-editor-foreground, #57606a); fill: var(--vscode-editor-background, #ffffff); }
.graph .buffer rect { fill: var(--tile-buffer, #ddf4ff); rx: 12; }
.graph .access rect { fill: var(--tile-access, #dafbe1); }
.graph .carried rect { fill: var(--tile-carried, #fff8c5); }
.graph .exit rect { stroke-dasharray: 6 3; }
.graph .region > rect { fill: none; stroke-dasharray: 6 3; }
.graph .port rect { fill: none; stroke: none; }
.graph .port text { opacity: 0.7; font-style: italic; }
.graph [data-line] { cursor: pointer; }
.graph [data-line]:hover rect, .graph .selected rect { stroke-width: 2.5; }
.graph path { fill: none; stroke: var(--vscode-editor-foreground, #57606a); }
.graph .read, .graph .write { stroke-width: 2; }
.graph .next { stroke-dasharray: 5 4; }
.graph .selection { stroke-dasharray: 1.5 3; }
.graph marker path { fill: var(--vscode-editor-foreground, #57606a); stroke: none; }
@media (prefers-color-scheme: dark) {
  .graph { --tile-buffer: #0c2d6b; --tile-access: #033a16; --tile-carried: #3b2300; }
}
.vscode-dark .graph, .vscode-high-contrast .graph { --tile-buffer: #0c2d6b; --tile-access: #033a16; --tile-carried: #3b2300; }
";

/// The smallest scale of an image that a page fits to its width.
const MIN_SCALE: f64 = 0.6;

/// The space around the image.
const MARGIN: f64 = 10.0;

impl Labels<'_> {
    /// The graph as an SVG image. `line` returns the line of an op in the file, which nodes have as `data-line`.
    ///
    /// # Errors
    ///
    /// If the graph is too large to be drawn.
    pub fn svg(&self, line: &dyn Fn(OpId) -> usize) -> Result<String, TooLarge> {
        let nodes = self.graph.nodes.len();
        if nodes > MAX_NODES {
            return Err(TooLarge::Nodes(nodes));
        }
        let drawing = self.drawing(None)?;
        let (width, height) = (drawing.width + 2.0 * MARGIN, drawing.height + 2.0 * MARGIN);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"min-width: {:.0}px\" viewBox=\"{:.0} {:.0} {width:.0} {height:.0}\">\n<style>\n{STYLE}</style>\n",
            width * MIN_SCALE,
            -MARGIN,
            -MARGIN
        );
        out += "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
                markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n";
        for arrow in &drawing.arrows {
            write_arrow(arrow, &mut out);
        }
        for found in &drawing.boxes {
            self.write_box(found, line, &mut out);
        }
        Ok(out + "</svg>\n")
    }

    fn write_box(&self, found: &PlacedBox, line: &dyn Fn(OpId) -> usize, out: &mut String) {
        let (class, node) = match found.item {
            Item::From(port) | Item::To(port) => ("port", port.node),
            Item::Node(id) => match self.graph.node(id).kind {
                Kind::Buffer(_) => ("buffer", id),
                Kind::Access(_) => ("access", id),
                Kind::Carried => ("carried", id),
                Kind::Operation => ("operation", id),
                Kind::Region(_) => ("region", id),
                Kind::Exit(_) => ("exit", id),
            },
        };
        let lines: Vec<String> = self.graph.node(node).ops.iter().map(|&op| line(op).to_string()).collect();
        let place = lines
            .last()
            .map_or_else(String::new, |last| format!(" data-line=\"{last}\" data-lines=\"{}\"", lines.join(" ")));
        let _ = writeln!(out, "<g class=\"{class}\" data-node=\"{}\"{place}>", node.0);
        let PlacedBox { x, y, width, height, .. } = found;
        let _ = writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>");
        for (index, text) in found.lines.iter().enumerate() {
            let (x, y) = (x + PADDING, y + PADDING + LINE * (index as f64 + 0.75));
            let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
        }
        *out += "</g>\n";
    }
}

fn write_arrow(arrow: &PlacedArrow, out: &mut String) {
    let class = match arrow.flow {
        Flow::Read => "read",
        Flow::Write => "write",
        Flow::Tile => "tile",
        Flow::Selection => "selection",
        Flow::Next => "next",
    };
    // The head of an edge that leads up is at its start.
    let head = if arrow.is_reversed { "marker-start" } else { "marker-end" };
    let mut path = format!("M{:.1} {:.1}", arrow.start.0, arrow.start.1);
    for segment in &arrow.segments {
        path += "C";
        for (x, y) in segment {
            let _ = write!(path, "{x:.1} {y:.1} ");
        }
    }
    let _ = writeln!(out, "<path class=\"{class}\" {head}=\"url(#head)\" d=\"{}\"/>", path.trim_end());
}

/// A page with a graph.
const PAGE: &str = include_str!("page.html");

impl Labels<'_> {
    /// The image in a page for browsers and editors, or why there is none.
    pub fn page(&self, title: &str, line: &dyn Fn(OpId) -> usize) -> String {
        let graph = self.svg(line).unwrap_or_else(|why| format!("<p>{why}.</p>"));
        PAGE.replacen("<!--TITLE-->", &escaped(title), 1).replacen("<!--GRAPH-->", &graph, 1)
    }
}

/// Escapes text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
