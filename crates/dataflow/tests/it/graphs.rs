//! Data flow graphs.

use crate::program::{Entry, entries, example};
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
fn a_branch_is_a_region() {
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
   2  load_ptr_tko %v: tile<f32> · slice %p[0] · 2 times, 8 bytes, 4 bytes distinct
   5  %r = if %c
   6    negf · %w: tile<f32> ← %v
  11  store_ptr_tko tile<f32> · slice %q[0] · 2 times, 8 bytes, 4 bytes distinct ← %r
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

/// Edges lead from a node that is drawn to another, and every region contains a node.
pub(crate) fn check(graph: &Graph, name: &str) {
    for edge in &graph.edges {
        assert!(edge.from != edge.to && edge.from.0 < graph.nodes.len() && edge.to.0 < graph.nodes.len(), "{name}");
    }
    for (id, node) in graph.nodes.iter().enumerate() {
        assert!(node.parent.is_none_or(|parent| parent.0 < id), "{name}: a region precedes its nodes");
    }
}

/// A pointer that is chosen at run time leads to each object that it can point into.
#[test]
fn chosen_pointers_and_scratch_memory() {
    let text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  for %i in (%zero to %n, step %one) : tile<i32> {
    %s = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
    %c = cmpi less_than %i, %one, signed : tile<i32> -> tile<i1>
    %r = select %c, %p, %s : tile<i1>, tile<ptr<i32>>
    %a = offset %r, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token
    store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
  }
} }";
    let entry = &entries(text)[0];
    let graph = build(&entry.body);
    check(&graph, "k");
    let labels = Labels { graph: &graph, names: entry.names(), launched: None };
    insta::assert_snapshot!(labels.dot("k"));
}

/// A branch that ends the tile block early is in the graph if its condition is loaded, and every access is.
#[test]
fn early_returns_and_unused_loads() {
    let text = "cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %n, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  %c = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
  if %c {
    return
  }
  %m, %u = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
} }";
    insta::assert_snapshot!(text_of(&entries(text)[0], None), @r"
    3  load_ptr_tko %n: tile<i32> · slice %p[0]
    4  cmpi · %c: tile<i1> ← %n
    5  if %c: return ← %c
    8  load_ptr_tko %m: tile<i32> · slice %q[0]
    ");
}

/// An entry whose every step chooses between the last value and its double.
fn chosen(steps: usize) -> String {
    let mut lines = String::new();
    for step in 1..=steps {
        let last = step - 1;
        lines += &format!(
            "%c{step} = cmpi less_than %x{last}, %n, signed : tile<i32> -> tile<i1>
             %x{step} = if %c{step} -> (tile<i32>) {{
               %a{step} = addi %x{last}, %x{last} : tile<i32>
               yield %a{step} : tile<i32>
             }} else {{
               yield %x{last} : tile<i32>
             }}\n"
        );
    }
    format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {{
           %x0 = addi %n, %n : tile<i32>
           {lines}
           %t = store_ptr_tko weak %p, %x{steps} : tile<ptr<i32>>, tile<i32> -> token
         }} }}"
    )
}

#[test]
fn a_graph_with_many_paths_is_drawn_or_refused() {
    let svg = |steps: usize| {
        let entry = &entries(&chosen(steps))[0];
        let graph = build(&entry.body);
        let labels = Labels { graph: &graph, names: entry.names(), launched: None };
        labels.svg(&|_| 1).map(|image| image.len()).map_err(|error| error.to_string())
    };
    assert!(svg(10).is_ok_and(|length| length > 1000));
    assert_eq!(svg(30), Err("the graph has too many long edges for an image".to_string()));
}
