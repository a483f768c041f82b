//! The ranks of boxes, from top to bottom, and their places in them.

use super::super::too_large::TooLarge;
use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

/// The maximum number of ranks that the edges span, all together. The layout takes up to 2 s at this limit, and its
/// time grows faster than the square of the number.
const MAX_SPANNED: usize = 1000;

/// The places of the boxes and edges of one level.
#[derive(Default)]
pub(super) struct Placed {
    /// The left upper corner of each box.
    pub(super) corners: Vec<(f64, f64)>,
    /// The horizontal positions at which each edge passes the ranks between its ends, from top to bottom.
    pub(super) passes: Vec<Vec<f64>>,
}

/// Places boxes of given sizes. Each edge leads from a box to one in a lower rank; there must be no cycles.
pub(super) fn place(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Result<Placed, TooLarge> {
    let mut canvas = Canvas(Placed { corners: vec![(0.0, 0.0); sizes.len()], passes: vec![Vec::new(); edges.len()] });
    if sizes.is_empty() {
        return Ok(canvas.0);
    }
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let look = StyleAttr::simple();
    let nodes = sizes.iter().enumerate().map(|(index, &(width, height))| {
        let (shape, size) = (ShapeKind::new_box(""), Point::new(width, height));
        let number = index.to_string();
        graph.add_node(Element::create_with_properties(shape, look.clone(), Orientation::TopToBottom, size, number))
    });
    let handles: Vec<_> = nodes.collect();
    // To detect cycles, the library walks all paths, of which a chain of diamonds has exponentially many: when it
    // validates, and for each edge, from its end through the edges so far. If edges come in the order of their starts,
    // none leads on from the end yet.
    graph.dag.set_validate(false);
    let ranks = ranks(sizes.len(), edges);
    let spanned: usize = edges.iter().map(|&(from, to)| ranks[to].saturating_sub(ranks[from])).sum();
    if spanned > MAX_SPANNED {
        return Err(TooLarge::Edges);
    }
    let mut sorted: Vec<(usize, (usize, usize))> = edges.iter().copied().enumerate().collect();
    sorted.sort_by_key(|&(_, (from, _))| ranks[from]);
    for (number, (from, to)) in sorted {
        graph.add_edge(Arrow::simple_with_properties("", number.to_string()), handles[from], handles[to]);
    }
    graph.do_it(false, false, false, &mut canvas);
    Ok(canvas.0)
}

/// The length of the longest path to each box. There must be no cycles.
fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut ranks, mut open, mut next) = (vec![0; count], vec![0; count], vec![Vec::new(); count]);
    for &(from, to) in edges {
        open[to] += 1;
        next[from].push(to);
    }
    let mut ready: Vec<usize> = (0..count).filter(|&index| open[index] == 0).collect();
    while let Some(from) = ready.pop() {
        for &to in &next[from] {
            ranks[to] = ranks[to].max(ranks[from] + 1);
            open[to] -= 1;
            if open[to] == 0 {
                ready.push(to);
            }
        }
    }
    ranks
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
