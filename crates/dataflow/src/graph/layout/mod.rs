//! The positions of nodes and edges in a drawing. Each region is laid out on its own, and is then one node of the
//! region around it; edges that cross its border end at ports inside of it.

mod items;
mod order;
mod place;
mod route;

use super::label::Labels;
use super::too_large::TooLarge;
use super::{Edge, Flow, Kind, NodeId};
pub(super) use items::{Drawing, Item, PlacedArrow, PlacedBox};
use items::{Link, Port};
use std::collections::BTreeMap;

/// The width of a character of the labels, in pixels.
const CHARACTER: f64 = 7.3;
/// The height of a line of a label.
pub(super) const LINE: f64 = 17.0;
/// The space around the text in a node.
pub(super) const PADDING: f64 = 8.0;
/// The space around the drawing of a region.
const MARGIN: f64 = 14.0;
/// The maximum number of characters in a line of a label.
const MAX_LINE: usize = 56;

impl Labels<'_> {
    /// Lays out the nodes in a region, or the whole graph.
    pub(super) fn drawing(&self, region: Option<NodeId>) -> Result<Drawing, TooLarge> {
        let regions = self.graph.children(region).filter(|&id| matches!(self.graph.node(id).kind, Kind::Region(_)));
        let inner = regions.map(|id| Ok((id, self.drawing(Some(id))?)));
        let inner: BTreeMap<NodeId, Drawing> = inner.collect::<Result<_, TooLarge>>()?;
        let links = self.links_in(region);
        let mut items: Vec<Item> = self.graph.children(region).map(Item::Node).collect();
        items.extend(links.iter().flat_map(|link| [link.from, link.to]).filter(|item| !matches!(item, Item::Node(_))));
        items.sort_by_key(|item| (self.graph.position(*item, &links), *item));
        items.dedup();
        let limit = |item: &Item| match item {
            Item::Node(id) => inner.get(id).map_or(0, |drawing| (drawing.width / CHARACTER) as usize).max(MAX_LINE),
            _ => MAX_LINE,
        };
        let lines: Vec<Vec<String>> = items.iter().map(|item| self.item_lines(*item, limit(item))).collect();
        let sizes = items.iter().zip(&lines).map(|(item, lines)| match item {
            Item::Node(id) if inner.contains_key(id) => framed(&inner[id], lines),
            _ => text_size(lines),
        });
        let sizes: Vec<(f64, f64)> = sizes.collect();
        let mut drawing = drawn(&items, &sizes, lines, &links)?;
        add_inner(&mut drawing, inner);
        Ok(drawing)
    }

    /// The edges between the items of a region, each once.
    fn links_in(&self, region: Option<NodeId>) -> Vec<Link> {
        let mut found: Vec<Link> = Vec::new();
        for edge in &self.graph.edges {
            let from = self.graph.child_towards(region, edge.from);
            let to = self.graph.child_towards(region, edge.to);
            let (from, to) = match (from, to) {
                (Some(from), Some(to)) if from != to => (Item::Node(from), Item::Node(to)),
                (None, Some(to)) => (Item::From(self.port(edge, edge.from)), Item::Node(to)),
                (Some(from), None) => (Item::Node(from), Item::To(self.port(edge, edge.to))),
                _ => continue,
            };
            if !found.iter().any(|link| (link.from, link.to) == (from, to)) {
                found.push(Link { from, to, flow: edge.flow });
            }
        }
        found
    }

    /// What an edge carries across the border of a region; `outside` is its end outside of the region.
    fn port(&self, edge: &Edge, outside: NodeId) -> Port {
        let Some(value) = edge.value.filter(|_| edge.flow != Flow::Next) else {
            return Port { value: None, node: outside };
        };
        // All edges of a tile end at the same port.
        let first = self.graph.edges.iter().find(|other| other.value == Some(value) && other.flow != Flow::Next);
        let first = first.unwrap_or(edge);
        Port { value: Some(value), node: if outside == edge.from { first.from } else { first.to } }
    }

    /// The lines of a box, each with at most `limit` characters where it has a blank to break it at.
    fn item_lines(&self, item: Item, limit: usize) -> Vec<String> {
        match item {
            Item::Node(id) => self.lines(id).iter().flat_map(|line| wrapped(line, limit)).collect(),
            Item::From(port) | Item::To(port) => vec![self.port_name(port)],
        }
    }

    fn port_name(&self, port: Port) -> String {
        let node = self.graph.node(port.node);
        match (&node.kind, port.value.or(node.value)) {
            (Kind::Buffer(base), _) => self.names.memory(Some(base)).into_owned(),
            (_, Some(value)) => self.names.value(value).into_owned(),
            _ => self.lines(port.node).swap_remove(0),
        }
    }
}

/// Breaks a long line of a label at blanks.
fn wrapped(line: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last =
            lines.last_mut().filter(|last| last.is_empty() || last.chars().count() + word.chars().count() < limit);
        match last {
            Some(last) if !last.is_empty() => *last += &format!(" {word}"),
            Some(last) => last.push_str(word),
            None => lines.push(format!("  {word}")),
        }
    }
    lines
}

/// The size of a box with text.
fn text_size(lines: &[String]) -> (f64, f64) {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    (longest as f64 * CHARACTER + 2.0 * PADDING, lines.len() as f64 * LINE + 2.0 * PADDING)
}

/// The size of a region with its title above its drawing.
fn framed(drawing: &Drawing, title: &[String]) -> (f64, f64) {
    let (width, height) = text_size(title);
    (width.max(drawing.width + 2.0 * MARGIN), height + drawing.height + MARGIN)
}

/// Lays out one level, of which the items are in order.
fn drawn(items: &[Item], sizes: &[(f64, f64)], lines: Vec<Vec<String>>, links: &[Link]) -> Result<Drawing, TooLarge> {
    let position = |item: &Item| items.iter().position(|other| other == item).unwrap_or(0);
    let edges: Vec<(usize, usize)> = links.iter().map(|link| (position(&link.from), position(&link.to))).collect();
    let down: Vec<(usize, usize)> = edges.iter().map(|&(from, to)| (from.min(to), from.max(to))).collect();
    let placed = place::place(sizes, &down)?;
    let boxes = items.iter().zip(&placed.corners).zip(sizes).zip(lines);
    let boxes =
        boxes.map(|(((&item, &(x, y)), &(width, height)), lines)| PlacedBox { item, x, y, width, height, lines });
    let boxes: Vec<PlacedBox> = boxes.collect();
    let curves = route::route(&boxes, &down, &placed.passes).into_iter().zip(links).zip(&edges);
    let arrows = curves.map(|(((start, segments), link), (from, to))| PlacedArrow {
        flow: link.flow,
        start,
        segments,
        is_reversed: from > to,
    });
    Ok(normalized(boxes, arrows.collect()))
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

/// Adds the drawings of regions to the boxes that were reserved for them.
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
