//! Descriptions of accesses for hovers.

use crate::program::{entries, example};
use tile_analysis::range_analysis::{Launched, NamedLaunch};
use tile_dataflow::editor::describe;

/// The descriptions of all accesses of the entry with this name, in a launch with these numbers.
fn descriptions(file: &str, name: &str, grid: [i64; 3], numbers: &[i64]) -> String {
    let entries = entries(&example(file));
    let entry = entries.iter().find(|entry| &*entry.body.name == name).expect("the entry exists");
    let pointers = entry.body.params.len() - numbers.len();
    let params = std::iter::repeat_n(None, pointers).chain(numbers.iter().copied().map(Some)).collect();
    let launch =
        NamedLaunch { name: "the launch".into(), values: Launched { grid: Some(grid), params, ..Launched::default() } };
    let accesses = tile_dataflow::accesses(&entry.body);
    accesses.iter().map(|access| describe(access, &entry.names(), Some(&launch))).collect::<Vec<_>>().join("\n===\n")
}

#[test]
fn a_product_through_pointers() {
    insta::assert_snapshot!(descriptions("gemm_square.tile", "gemm_square_tile_64x64", [2, 2, 1], &[128]));
}

#[test]
fn a_mask() {
    insta::assert_snapshot!(descriptions("vector_add.tile", "vector_add", [4, 1, 1], &[500]));
}

#[test]
fn selected_rows() {
    insta::assert_snapshot!(descriptions("gather_scatter.tile", "gather", [2, 1, 1], &[16, 20, 10]));
}
