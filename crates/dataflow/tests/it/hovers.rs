//! Descriptions of accesses for hovers.

use crate::program::{entries, example};
use tile_analysis::range_analysis::{Launched, NamedLaunch};
use tile_dataflow::editor::{describe, describe_loop};

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

/// The descriptions of all loops of an entry in a launch of two tile blocks with `%n = 10`.
fn loops(lines: &str) -> String {
    let text = format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {{
           %x, %y, %z = get_tile_block_id : tile<i32>
           %zero = constant <i32: 0> : tile<i32>
           %four = constant <i32: 4> : tile<i32>
           {lines}
         }} }}"
    );
    let entries = entries(&text);
    let values = Launched { grid: Some([2, 1, 1]), params: vec![None, Some(10)], ..Launched::default() };
    let launch = NamedLaunch { name: "the launch".into(), values };
    let all = tile_dataflow::repetitions(&entries[0].body);
    all.iter().map(|one| describe_loop(one, &entries[0].names(), Some(&launch))).collect::<Vec<_>>().join("===\n")
}

#[test]
fn iterations_of_nested_loops() {
    let text = loops(
        "for %i in (%x to %n, step %four) : tile<i32> {
           for %j in (%zero to %i, step %four) : tile<i32> {
             %t = store_ptr_tko weak %p, %j : tile<ptr<i32>>, tile<i32> -> token
           }
         }",
    );
    insta::assert_snapshot!(text, @r"
    `⌈(%n - %x) / 4⌉` iterations.

    In the launch: 3 iterations each time, 6 in all tile blocks together.
    ===
    `⌈%i / 4⌉` iterations.

    In the launch: 0 to 3 iterations each time, 9 in all tile blocks together.
    ");
}

#[test]
fn iterations_of_a_loop_with_an_exit() {
    let text = loops(
        "loop iter_values(%i = %x) : tile<i32> {
           %c = cmpi greater_than %i, %n, signed : tile<i32> -> tile<i1>
           if %c { break }
           %next = addi %i, %four : tile<i32>
           continue %next : tile<i32>
         }
         %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
         for %j in (%zero to %v, step %four) : tile<i32> {
         }",
    );
    insta::assert_snapshot!(text, @r"
    In the launch: 4 iterations each time, 8 in all tile blocks together.
    ===
    `⌈%v / 4⌉` iterations.

    In the launch: the number of iterations is unknown.
    ");
}
