//! The positions of nodes and edges in a drawing. Each task is laid out on its own, and is then one node of the task
//! around it; edges that cross its border end at ports inside of it.

use super::label::Labels;
use super::{Flow, Kind, NodeId};
use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
use std::collections::BTreeMap;

/// The width of a character of the labels, in pixels.
const CHARACTER: f64 = 7.3;
/// The height of a line of a label.
pub(super) const LINE: f64 = 17.0;
/// The space around the text in a node.
pub(super) const PADDING: f64 = 8.0;
/// The space around the drawing of a task.
const MARGIN: f64 = 14.0;

/// A drawing of the nodes in a task, or of the whole graph, from the origin.
pub(super) struct Drawing {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) boxes: Vec<PlacedBox>,
    pub(super) arrows: Vec<PlacedArrow>,
}

/// A node or a port.
pub(super) struct PlacedBox {
    pub(super) item: Item,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) lines: Vec<String>,
}

/// A curve: the points of cubic Bézier segments, each after the first with its two control points.
pub(super) struct PlacedArrow {
    pub(super) flow: Flow,
    pub(super) start: (f64, f64),
    pub(super) segments: Vec<[(f64, f64); 3]>,
    /// Whether the arrowhead is at the start, because the layout reversed the edge.
    pub(super) is_reversed: bool,
}

/// A vertex of the layout of one task.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Item {
    /// A node in the task.
    Node(NodeId),
    /// The end of edges from a node outside of the task.
    From(NodeId),
    /// The end of edges to a node outside of the task.
    To(NodeId),
}

impl Labels<'_> {
    /// Lays out the nodes in a task, or the whole graph.
    pub(super) fn drawing(&self, task: Option<NodeId>) -> Drawing {
        let inner: BTreeMap<NodeId, Drawing> = self
            .graph
            .children(task)
            .filter(|&id| matches!(self.graph.node(id).kind, Kind::Task(_)))
            .map(|id| (id, self.drawing(Some(id))))
            .collect();
        let edges = self.edges_in(task);
        let mut items: Vec<Item> = self.graph.children(task).map(Item::Node).collect();
        items.extend(edges.iter().flat_map(|(from, to, _)| [*from, *to]).filter(|item| !matches!(item, Item::Node(_))));
        items.sort_unstable();
        items.dedup();
        let lines: Vec<Vec<String>> = items.iter().map(|&item| self.item_lines(item)).collect();
        let sizes = items.iter().zip(&lines).map(|(item, lines)| match item {
            Item::Node(id) if inner.contains_key(id) => framed(&inner[id], lines),
            _ => text_size(lines),
        });
        let sizes: Vec<(f64, f64)> = sizes.collect();
        let mut drawing = place(&items, &sizes, lines, &edges);
        add_inner(&mut drawing, inner);
        drawing
    }

    /// The edges between the items of a task, each once. Edges to the next iteration come last, so that the layout
    /// reverses them rather than others.
    fn edges_in(&self, task: Option<NodeId>) -> Vec<(Item, Item, Flow)> {
        let mut found = Vec::new();
        for edge in &self.graph.edges {
            let from = self.graph.child_towards(task, edge.from);
            let to = self.graph.child_towards(task, edge.to);
            let (from, to) = match (from, to) {
                (Some(from), Some(to)) if from != to => (Item::Node(from), Item::Node(to)),
                (None, Some(to)) => (Item::From(edge.from), Item::Node(to)),
                (Some(from), None) => (Item::Node(from), Item::To(edge.to)),
                _ => continue,
            };
            if !found.iter().any(|(a, b, _)| (*a, *b) == (from, to)) {
                found.push((from, to, edge.flow));
            }
        }
        found.sort_by_key(|(_, _, flow)| *flow == Flow::Next);
        found
    }

    fn item_lines(&self, item: Item) -> Vec<String> {
        match item {
            Item::Node(id) => self.lines(id),
            Item::From(id) | Item::To(id) => vec![self.short(id)],
        }
    }

    /// The name of a node in a port.
    fn short(&self, id: NodeId) -> String {
        let node = self.graph.node(id);
        match (&node.kind, node.value) {
            (Kind::Buffer(base), _) => self.names.memory(Some(base)).into_owned(),
            (_, Some(value)) => self.names.value(value).into_owned(),
            _ => self.lines(id).swap_remove(0),
        }
    }
}

/// The size of a box with text.
fn text_size(lines: &[String]) -> (f64, f64) {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    (longest as f64 * CHARACTER + 2.0 * PADDING, lines.len() as f64 * LINE + 2.0 * PADDING)
}

/// The size of a task with its title above its drawing.
fn framed(drawing: &Drawing, title: &[String]) -> (f64, f64) {
    let (width, height) = text_size(title);
    (width.max(drawing.width + 2.0 * MARGIN), height + drawing.height + MARGIN)
}

/// Lays out one level.
fn place(items: &[Item], sizes: &[(f64, f64)], lines: Vec<Vec<String>>, edges: &[(Item, Item, Flow)]) -> Drawing {
    let mut graph = VisualGraph::new(Orientation::TopToBottom);
    let look = StyleAttr::simple();
    let handles: Vec<_> = (sizes.iter().enumerate())
        .map(|(index, &(width, height))| {
            let (shape, size) = (ShapeKind::new_box(""), Point::new(width, height));
            let number = index.to_string();
            graph.add_node(Element::create_with_properties(shape, look.clone(), Orientation::TopToBottom, size, number))
        })
        .collect();
    for (number, (from, to, _)) in edges.iter().enumerate() {
        let handle = |item: &Item| items.iter().position(|other| other == item).map(|index| handles[index]);
        if let (Some(from), Some(to)) = (handle(from), handle(to)) {
            graph.add_edge(Arrow::simple_with_properties("", number.to_string()), from, to);
        }
    }
    let mut canvas = Canvas::default();
    if !items.is_empty() {
        graph.do_it(false, false, false, &mut canvas);
    }
    let mut lines = lines.into_iter();
    canvas.boxes.sort_by_key(|(index, _, _)| *index);
    let boxes = canvas.boxes.into_iter().zip(items).map(|((_, at, size), &item)| PlacedBox {
        item,
        x: at.x,
        y: at.y,
        width: size.x,
        height: size.y,
        lines: lines.next().unwrap_or_default(),
    });
    let arrows = canvas.arrows.into_iter().filter_map(|(index, path, is_reversed)| {
        let (from, to, flow) = *edges.get(index)?;
        // An edge to the next iteration would cover the edge that it answers.
        let has_opposite = edges.iter().any(|(other, end, _)| (*other, *end) == (to, from));
        let aside = if flow == Flow::Next && has_opposite { LINE } else { 0.0 };
        let (first, rest) = path.split_first()?;
        let mut control = first.1;
        let segment = |next: &(Point, Point)| {
            let segment = [control, next.0, next.1].map(|point| (point.x + aside, point.y));
            // The exit of a point mirrors its entry.
            control = next.1.add(next.1.sub(next.0));
            segment
        };
        let segments = rest.iter().map(segment).collect();
        Some(PlacedArrow { flow, start: (first.0.x + aside, first.0.y), segments, is_reversed })
    });
    normalized(boxes.collect(), arrows.collect())
}

/// Moves a drawing to the origin.
fn normalized(mut boxes: Vec<PlacedBox>, mut arrows: Vec<PlacedArrow>) -> Drawing {
    let points = arrows.iter().flat_map(|arrow| arrow.segments.iter().flatten().chain([&arrow.start]));
    let corners: Vec<(f64, f64)> = (boxes.iter())
        .flat_map(|found| [(found.x, found.y), (found.x + found.width, found.y + found.height)])
        .chain(points.copied())
        .collect();
    let bound = |pick: fn(&(f64, f64)) -> f64, better: fn(f64, f64) -> f64| {
        corners.iter().map(pick).reduce(better).unwrap_or(0.0)
    };
    let (left, top) = (bound(|point| point.0, f64::min), bound(|point| point.1, f64::min));
    let (right, bottom) = (bound(|point| point.0, f64::max), bound(|point| point.1, f64::max));
    for found in &mut boxes {
        (found.x, found.y) = (found.x - left, found.y - top);
    }
    for arrow in &mut arrows {
        arrow
            .segments
            .iter_mut()
            .flatten()
            .chain([&mut arrow.start])
            .for_each(|point| *point = (point.0 - left, point.1 - top));
    }
    Drawing { width: right - left, height: bottom - top, boxes, arrows }
}

/// Adds the drawings of tasks to the boxes that were reserved for them.
fn add_inner(drawing: &mut Drawing, inner: BTreeMap<NodeId, Drawing>) {
    for (id, inner) in inner {
        let Some(frame) = drawing.boxes.iter().find(|found| found.item == Item::Node(id)) else { continue };
        let title = text_size(&frame.lines).1;
        let (x, y) = (frame.x + (frame.width - inner.width) / 2.0, frame.y + title);
        let boxes = inner.boxes.into_iter().map(|found| PlacedBox { x: found.x + x, y: found.y + y, ..found });
        drawing.boxes.extend(boxes);
        let arrows = inner.arrows.into_iter().map(|arrow| PlacedArrow {
            start: (arrow.start.0 + x, arrow.start.1 + y),
            segments: arrow
                .segments
                .into_iter()
                .map(|segment| segment.map(|point| (point.0 + x, point.1 + y)))
                .collect(),
            ..arrow
        });
        drawing.arrows.extend(arrows);
    }
}

/// Collects what the layout would draw.
#[derive(Default)]
struct Canvas {
    boxes: Vec<(usize, Point, Point)>,
    arrows: Vec<DrawnArrow>,
}

/// The number of an edge, its points with their control points, and whether its head is at the start.
type DrawnArrow = (usize, Vec<(Point, Point)>, bool);

fn number(properties: Option<String>) -> Option<usize> {
    properties?.parse().ok()
}

impl RenderBackend for Canvas {
    fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, properties: Option<String>, _: Option<ClipHandle>) {
        self.boxes.extend(number(properties).map(|number| (number, xy, size)));
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        head: (bool, bool),
        _: &StyleAttr,
        properties: Option<String>,
        _: &str,
    ) {
        self.arrows.extend(number(properties).map(|number| (number, path.to_vec(), head.0)));
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}
