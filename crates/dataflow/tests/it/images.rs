//! Images of data flow graphs.

use crate::graphs::check;
use crate::program::{entries, examples};
use tile_dataflow::graph::build;
use tile_dataflow::graph::label::Labels;

/// A rectangle: its left, upper, right and lower side.
type Rect = [f64; 4];

/// Calls a function with the name and the image of each entry of the examples.
fn for_each_image(visit: impl Fn(&str, &str)) {
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        for entry in entries(&text) {
            let name = format!("{} @{}", path.display(), entry.body.name);
            let graph = build(&entry.body);
            check(&graph, &name);
            let labels = Labels { graph: &graph, names: entry.names(), launched: None };
            visit(&name, &labels.svg(&|op| entry.line(op)).expect("the graph is small"));
        }
    }
}

/// The attribute of an element.
fn attribute<'s>(element: &'s str, name: &str) -> &'s str {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).expect("the element has the attribute");
    rest.split('"').next().expect("the attribute ends")
}

/// The boxes with their classes.
fn boxes(svg: &str) -> Vec<(&str, Rect)> {
    let lines: Vec<&str> = svg.lines().collect();
    let rects = lines.windows(2).filter(|pair| pair[1].starts_with("<rect"));
    rects
        .map(|pair| {
            let number = |name| attribute(pair[1], name).parse::<f64>().expect("the attribute is a number");
            let [x, y, width, height] = ["x", "y", "width", "height"].map(number);
            (attribute(pair[0].trim_start_matches("<g").trim_end_matches('>'), "class"), [x, y, x + width, y + height])
        })
        .collect()
}

#[test]
fn boxes_are_nested_or_disjoint() {
    for_each_image(|name, svg| {
        let rects = boxes(svg);
        let inside = |a: &Rect, b: &Rect| a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];
        let apart = |a: &Rect, b: &Rect| a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
        for (index, (_, a)) in rects.iter().enumerate() {
            for (_, b) in &rects[..index] {
                assert!(apart(a, b) || inside(a, b) || inside(b, a), "{name}: {a:?} and {b:?} overlap");
            }
        }
    });
}

/// Points on a curve: `M x y C x y x y x y C …`.
fn points(path: &str) -> Vec<(f64, f64)> {
    let numbers: Vec<f64> = path.split(['M', 'C', ' ']).filter_map(|number| number.parse().ok()).collect();
    let corners: Vec<(f64, f64)> = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let segment = |start: usize| {
        (0..=16).map(move |step| {
            let t = f64::from(step) / 16.0;
            let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
            (start..start + 4).zip(weights)
        })
    };
    let sum = |terms: Vec<(usize, f64)>| {
        terms.iter().fold((0.0, 0.0), |(x, y), (corner, weight)| {
            (x + weight * corners[*corner].0, y + weight * corners[*corner].1)
        })
    };
    (0..corners.len().saturating_sub(3)).step_by(3).flat_map(segment).map(|terms| sum(terms.collect())).collect()
}

#[test]
fn edges_cross_no_boxes() {
    for_each_image(|name, svg| {
        let rects: Vec<Rect> =
            boxes(svg).into_iter().filter(|(class, _)| *class != "region").map(|(_, rect)| rect).collect();
        for path in svg.lines().filter(|line| line.starts_with("<path")).map(|path| attribute(path, "d")) {
            for (x, y) in points(path) {
                let crossed = rects
                    .iter()
                    .find(|rect| x > rect[0] + 1.0 && x < rect[2] - 1.0 && y > rect[1] + 1.0 && y < rect[3] - 1.0);
                assert_eq!(crossed, None, "{name}: {path} at {x:.1}, {y:.1}");
            }
        }
    });
}
