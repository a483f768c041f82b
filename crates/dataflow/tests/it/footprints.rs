//! Live tiles.

use crate::program::{Entry, entries, example};
use std::fmt::Write;
use tile_analysis::ir::OpId;
use tile_dataflow::footprint::{Footprint, threads};

/// One line for each op with live tiles: its name, and the bytes in registers and in shared memory.
fn live(entry: &Entry) -> String {
    let footprint = Footprint::of(&entry.body);
    let mut out = String::new();
    for (id, live) in (0..).map(OpId).zip(&footprint.at).filter(|(_, live)| live.total() > 0) {
        let name = entry.body.op(id).op.row().name;
        let mark = if footprint.peak == Some(id) { " (peak)" } else { "" };
        let _ = writeln!(out, "{name}: {} + {}{mark}", live.registers, live.shared);
    }
    out
}

/// The live tiles of an entry with these lines, after 256 bytes `%a` and `%b` are loaded from `%p`.
fn live_in(lines: &str) -> String {
    let text = format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {{
           %i = iota : tile<64xi32>
           %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
           %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
           %q = offset %ps, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
           %a, %t = load_ptr_tko weak %q : tile<64xptr<f32>> -> tile<64xf32>, token
           %b, %u = load_ptr_tko weak %q : tile<64xptr<f32>> -> tile<64xf32>, token
           {lines}
         }} }}"
    );
    live(&entries(&text)[0])
}

#[test]
fn the_result_of_an_elementwise_op_overwrites_an_operand() {
    let live = live_in(
        "%c = addf %a, %b : tile<64xf32>
         %d = mulf %c, %c : tile<64xf32>
         store_ptr_tko weak %q, %d : tile<64xptr<f32>>, tile<64xf32> -> token",
    );
    insta::assert_snapshot!(live, @r"
    load_ptr_tko: 256 + 0
    load_ptr_tko: 512 + 0 (peak)
    addf: 256 + 0
    mulf: 256 + 0
    store_ptr_tko: 256 + 0
    ");
}

#[test]
fn a_tile_that_a_loop_uses_is_live_throughout() {
    let live = live_in(
        "%zero = constant <i32: 0> : tile<i32>
         %one = constant <i32: 1> : tile<i32>
         %sum = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%s = %b) -> (tile<64xf32>) {
           %next = addf %s, %a : tile<64xf32>
           %half = negf %next : tile<64xf32>
           continue %half : tile<64xf32>
         }
         store_ptr_tko weak %q, %sum : tile<64xptr<f32>>, tile<64xf32> -> token",
    );
    insta::assert_snapshot!(live, @r"
    load_ptr_tko: 256 + 0
    load_ptr_tko: 512 + 0 (peak)
    constant: 512 + 0
    constant: 512 + 0
    for: 512 + 0
    addf: 512 + 0
    negf: 512 + 0
    continue: 512 + 0
    store_ptr_tko: 256 + 0
    ");
}

#[test]
fn loaded_factors_are_in_shared_memory() {
    let entries = entries(&example("gemm_square.tile"));
    let footprint = Footprint::of(&entries[0].body);
    assert_eq!(footprint.shared(), 2 * 64 * 64 * 4, "both factors");
    assert_eq!(footprint.most().registers, 64 * 64 * 4, "the sum takes the place of the accumulator");
}

#[test]
fn hints_choose_the_threads() {
    let entry = |hints: &str| {
        let text = format!("cuda_tile.module @m {{ entry @k() {hints} {{ return }} }}");
        entries(&text).swap_remove(0).body
    };
    let hints = "optimization_hints=<default = {num_worker_warps_per_cta = 8}, sm_90 = {num_worker_warps_per_cta = 4}>";
    assert_eq!(threads(&entry(""), None), 128);
    assert_eq!(threads(&entry(hints), None), 256);
    assert_eq!(threads(&entry(hints), Some("sm_90")), 128);
    assert_eq!(threads(&entry(hints), Some("sm_100")), 256);
}
