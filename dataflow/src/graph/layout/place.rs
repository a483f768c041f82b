//! The ranks of boxes, from top to bottom, and their places in them.

use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

/// The places of the boxes and edges of one level.
#[derive(Default)]
pub(super) struct Placed {
    /// The left upper corner of each box.
    pub(super) corners: Vec<(f64, f64)>,
    /// The horizontal positions at which each edge passes the ranks between its ends, from top to bottom.
    pub(super) passes: Vec<Vec<f64>>,
}

/// Places boxes of given sizes. Each edge leads from a box to one in a lower rank; there must be no cycles.
pub(super) fn place(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Placed {
    let mut canvas = Canvas(Placed { corners: vec![(0.0, 0.0); sizes.len()], passes: vec![Vec::new(); edges.len()] });
    if sizes.is_empty() {
        return canvas.0;
    }
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let look = StyleAttr::simple();
    let nodes = sizes.iter().enumerate().map(|(index, &(width, height))| {
        let (shape, size) = (ShapeKind::new_box(""), Point::new(width, height));
        let number = index.to_string();
        graph.add_node(Element::create_with_properties(shape, look.clone(), Orientation::TopToBottom, size, number))
    });
    let handles: Vec<_> = nodes.collect();
    for (number, &(from, to)) in edges.iter().enumerate() {
        graph.add_edge(Arrow::simple_with_properties("", number.to_string()), handles[from], handles[to]);
    }
    graph.do_it(false, false, false, &mut canvas);
    canvas.0
}

/// Collects what the layout would draw.
struct Canvas(Placed);

/// The number of a box or an edge.
fn number(properties: Option<String>) -> Option<usize> {
    properties?.parse().ok()
}

impl RenderBackend for Canvas {
    fn draw_rect(&mut self, xy: Point, _: Point, _: &StyleAttr, properties: Option<String>, _: Option<ClipHandle>) {
        if let Some(number) = number(properties) {
            self.0.corners[number] = (xy.x, xy.y);
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        _: (bool, bool),
        _: &StyleAttr,
        properties: Option<String>,
        _: &str,
    ) {
        if let (Some(number), [_, between @ .., _]) = (number(properties), path) {
            self.0.passes[number] = between.iter().map(|(_, point)| point.x).collect();
        }
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
