//! Data flow graphs.

use crate::program::{Entry, entries, example, examples};
use tile_analysis::range_analysis::Launched;
use tile_dataflow::graph::label::Labels;
use tile_dataflow::graph::{Graph, build};

fn text_of(entry: &Entry, launched: Option<&Launched>) -> String {
    let graph = build(&entry.body);
    Labels { graph: &graph, names: entry.names(), launched }.text(&|op| entry.line(op))
}

#[test]
fn flash_attention() {
    let entries = entries(&example("fused_attention.tile"));
    insta::assert_snapshot!(text_of(&entries[0], None));
}

#[test]
fn a_branch_is_a_task() {
    let text = "cuda_tile.module @m { entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {
  %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  %zero = constant <i32: 0> : tile<i32>
  %c = cmpi less_than %n, %zero, signed : tile<i32> -> tile<i1>
  %r = if %c -> (tile<f32>) {
    %w = negf %v : tile<f32>
    yield %w : tile<f32>
  } else {
    yield %v : tile<f32>
  }
  store_ptr_tko weak %q, %r : tile<ptr<f32>>, tile<f32> -> token
} }";
    let launched = Launched { grid: Some([2, 1, 1]), params: vec![None, None, Some(-1)], ..Launched::default() };
    insta::assert_snapshot!(text_of(&entries(text)[0], Some(&launched)), @r"
   2  load_ptr_tko %v: tile<f32> · slice %p[0] · 2 times, 8 bytes, 4 bytes different
   5  if %c
   6    negf · %w: tile<f32> ← %v
  11  store_ptr_tko tile<f32> · slice %q[0] · 2 times, 8 bytes, 4 bytes different ← %r
    ");
}

/// What decides whether and how often ops run is in the graph if it is loaded.
#[test]
fn loaded_conditions_and_bounds() {
    let text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %n, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  for %i in (%zero to %n, step %one) : tile<i32> {
    %a = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %u = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token
    %c = cmpi less_than %v, %zero, signed : tile<i32> -> tile<i1>
    if %c {
      continue
    }
    %d = cmpi equal %v, %one, signed : tile<i32> -> tile<i1>
    if %d {
      store_ptr_tko weak %q, %one : tile<ptr<i32>>, tile<i32> -> token
    } else {
      store_ptr_tko weak %q, %zero : tile<ptr<i32>>, tile<i32> -> token
    }
  }
} }";
    let entries = entries(text);
    insta::assert_snapshot!(text_of(&entries[0], None));
    let graph = build(&entries[0].body);
    let labels = Labels { graph: &graph, names: entries[0].names(), launched: None };
    insta::assert_snapshot!("loaded_conditions_and_bounds_in_dot", labels.dot("k"));
    check(&graph, "k");
}

#[test]
fn other_formats() {
    let entries = entries(&example("gemm_square.tile"));
    let graph = build(&entries[0].body);
    let launched = Launched { grid: Some([2, 2, 1]), params: vec![None, None, None, Some(128)], ..Launched::default() };
    let labels = Labels { graph: &graph, names: entries[0].names(), launched: Some(&launched) };
    insta::assert_snapshot!("dot", labels.dot("gemm"));
    insta::assert_snapshot!("json", format!("{:#}", labels.json(&|op| entries[0].line(op))));
}

#[test]
fn a_large_graph_has_no_image() {
    let mut text = String::from("cuda_tile.module @m { entry @k(%p: tile<ptr<f32>>) {\n");
    for number in 0..600 {
        text += &format!("%v{number}, %t{number} = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token\n");
        text += &format!("store_ptr_tko weak %p, %v{number} : tile<ptr<f32>>, tile<f32> -> token\n");
    }
    let entries = entries(&(text + "} }"));
    let graph = build(&entries[0].body);
    let labels = Labels { graph: &graph, names: entries[0].names(), launched: None };
    let why = labels.svg(&|op| entries[0].line(op)).expect_err("the graph is too large");
    assert_eq!(why.to_string(), "the graph has 1201 nodes, too many for an image, which can have 500");
    assert!(labels.page("@k", &|_| 1).contains("<p>the graph has 1201 nodes"));
}

/// Edges lead from a node that is drawn to another, and every task contains a node.
fn check(graph: &Graph, name: &str) {
    for edge in &graph.edges {
        assert!(edge.from != edge.to && edge.from.0 < graph.nodes.len() && edge.to.0 < graph.nodes.len(), "{name}");
    }
    for (id, node) in graph.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent.0 < id), "{name}: a task precedes its nodes");
    }
}

/// The attribute of an element in SVG.
fn attribute(element: &str, name: &str) -> f64 {
    let (_, rest) = element.split_once(&format!(" {name}=\"")).expect("the element has the attribute");
    rest.split('"').next().and_then(|number| number.parse().ok()).expect("the attribute is a number")
}

#[test]
fn boxes_in_images_are_nested_or_disjoint() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).expect("the example is readable");
        for entry in entries(&text) {
            let name = format!("{} @{}", path.display(), entry.body.name);
            let graph = build(&entry.body);
            check(&graph, &name);
            let svg = Labels { graph: &graph, names: entry.names(), launched: None }
                .svg(&|op| entry.line(op))
                .expect("the graph is small");
            let rects = svg.lines().filter(|line| line.starts_with("<rect"));
            let rects: Vec<[f64; 4]> = rects
                .map(|rect| {
                    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| attribute(rect, name));
                    [x, y, x + width, y + height]
                })
                .collect();
            let inside = |a: &[f64; 4], b: &[f64; 4]| a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];
            let apart = |a: &[f64; 4], b: &[f64; 4]| a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            for (index, a) in rects.iter().enumerate() {
                for b in &rects[..index] {
                    assert!(apart(a, b) || inside(a, b) || inside(b, a), "{name}: {a:?} and {b:?} overlap");
                }
            }
        }
    }
}

/// Tile blocks in groups of 8 rows, with the remainder as frontends translate Python's `%`.
const GROUPED: &str = "cuda_tile.module @m { entry @k(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
  %b, %y, %z = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %eight = constant <i32: 8> : tile<i32>
  %width = muli %eight, %n : tile<i32>
  %group = divi %b, %width signed rounding<negative_inf> : tile<i32>
  %first = muli %group, %eight : tile<i32>
  %left = subi %m, %first : tile<i32>
  %size = mini %left, %eight signed : tile<i32>
  %rest = remi %b, %size signed : tile<i32>
  %is_negative = cmpi less_than %rest, %zero, signed : tile<i32> -> tile<i1>
  %has_negative = cmpi less_than %size, %zero, signed : tile<i32> -> tile<i1>
  %differs = xori %is_negative, %has_negative : tile<i1>
  %is_not_zero = cmpi not_equal %rest, %zero, signed : tile<i32> -> tile<i1>
  %is_other = andi %differs, %is_not_zero : tile<i1>
  %other = addi %rest, %size : tile<i32>
  %row_in_group = select %is_other, %other, %rest : tile<i1>, tile<i32>
  %row = addi %first, %row_in_group : tile<i32>
  %v = make_tensor_view %p, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %w = make_partition_view %v : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>
  %t, %k = load_view_tko weak %w[%row_in_group, %group] : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x16xf32>, token
  %s = store_view_tko weak %t, %w[%row, %zero] token = %k : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
} }";

#[test]
fn a_long_coordinate_is_shown_as_its_index() {
    insta::assert_snapshot!(text_of(&entries(GROUPED)[0], None));
}

#[test]
fn a_sum_of_loaded_integers_is_not_its_initial_value() {
    let text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %sum = for %i in (%zero to %n, step %two) : tile<i32> iter_values(%acc = %zero) -> (tile<i32>) {
    %at = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %next = addi %acc, %v : tile<i32>
    continue %next : tile<i32>
  }
  %to = offset %q, %sum : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  store_ptr_tko weak %to, %sum : tile<ptr<i32>>, tile<i32> -> token
} }";
    insta::assert_snapshot!(text_of(&entries(text)[0], None));
}
