//! The curves of edges. An edge passes a rank of boxes vertically, and only turns between ranks, where there are no
//! boxes.

use super::items::PlacedBox;

/// The largest distance between the ends of two edges at the same side of a box.
const SPACING: f64 = 14.0;

/// The largest difference between the centers of two boxes of a rank.
const SAME_RANK: f64 = 1.0;

/// A curve: its start, and the cubic Bézier segments after it, each with its two control points and its end.
pub(super) type Curve = ((f64, f64), Vec<[(f64, f64); 3]>);

/// The curves of edges, each from the lower side of one box to the upper side of another, by the positions at which it
/// passes the ranks between them.
pub(super) fn route(boxes: &[PlacedBox], edges: &[(usize, usize)], passes: &[Vec<f64>]) -> Vec<Curve> {
    let ranks = ranks(boxes);
    let starts = ends(boxes, edges, |&(from, to)| (from, to), passes, |passes| passes.first());
    let stops = ends(boxes, edges, |&(from, to)| (to, from), passes, |passes| passes.last());
    let curve = |(edge, &(from, to)): (usize, &(usize, usize))| {
        let [first, last] = [from, to].map(|end| rank_of(&ranks, &boxes[end]));
        let mut points = vec![(starts[edge], lower(&boxes[from])), (starts[edge], ranks[first].bottom)];
        for (rank, &x) in ranks[(first + 1).min(last)..last].iter().zip(&passes[edge]) {
            points.extend([(x, rank.top), (x, rank.bottom)]);
        }
        points.extend([(stops[edge], ranks[last].top), (stops[edge], boxes[to].y)]);
        smooth(&points)
    };
    edges.iter().enumerate().map(curve).collect()
}

fn center(found: &PlacedBox) -> (f64, f64) {
    (found.x + found.width / 2.0, found.y + found.height / 2.0)
}

fn lower(found: &PlacedBox) -> f64 {
    found.y + found.height
}

/// A row of boxes with the same vertical center.
struct Rank {
    center: f64,
    top: f64,
    bottom: f64,
}

/// The ranks from top to bottom.
fn ranks(boxes: &[PlacedBox]) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = Vec::new();
    for found in boxes {
        let own = Rank { center: center(found).1, top: found.y, bottom: lower(found) };
        match ranks.iter_mut().find(|rank| (rank.center - own.center).abs() < SAME_RANK) {
            Some(rank) => (rank.top, rank.bottom) = (rank.top.min(own.top), rank.bottom.max(own.bottom)),
            None => ranks.push(own),
        }
    }
    ranks.sort_by(|one, other| one.center.total_cmp(&other.center));
    ranks
}

/// The number of the rank of a box.
fn rank_of(ranks: &[Rank], found: &PlacedBox) -> usize {
    ranks.iter().position(|rank| (rank.center - center(found).1).abs() < SAME_RANK).unwrap_or(0)
}

/// The horizontal position of one end of each edge. `sides` returns the box at this end and the one at the other. Ends
/// at the same box are side by side, in the order of the directions in which their edges continue.
fn ends(
    boxes: &[PlacedBox],
    edges: &[(usize, usize)],
    sides: impl Fn(&(usize, usize)) -> (usize, usize),
    passes: &[Vec<f64>],
    nearest: impl Fn(&[f64]) -> Option<&f64>,
) -> Vec<f64> {
    let mut found = vec![0.0; edges.len()];
    for (number, this) in boxes.iter().enumerate() {
        let own = edges.iter().enumerate().filter(|(_, edge)| sides(edge).0 == number);
        let direction =
            |edge: usize| nearest(&passes[edge]).copied().unwrap_or_else(|| center(&boxes[sides(&edges[edge]).1]).0);
        let mut own: Vec<(usize, f64)> = own.map(|(edge, _)| (edge, direction(edge))).collect();
        own.sort_by(|one, other| one.1.total_cmp(&other.1));
        let spacing = SPACING.min(this.width / (own.len() as f64 + 1.0));
        for (place, (edge, _)) in own.iter().enumerate() {
            found[*edge] = center(this).0 + (place as f64 - (own.len() as f64 - 1.0) / 2.0) * spacing;
        }
    }
    found
}

/// A curve through points that is vertical at each of them.
fn smooth(points: &[(f64, f64)]) -> Curve {
    let segment = |pair: &[(f64, f64)]| {
        let [(x, y), end] = [pair[0], pair[1]];
        let middle = f64::midpoint(y, end.1);
        [(x, middle), (end.0, middle), end]
    };
    let segments = points.windows(2).filter(|pair| pair[0] != pair[1]).map(segment).collect();
    (points[0], segments)
}
