//! Findings of a run: one message, at the op that caused it.

use crate::harness::{CommandOutput, Folder, entry};

/// Runs an entry with `%p = f32[6] iota` and this body, which starts in row 5.
fn run(body: &[&str]) -> CommandOutput {
    let program = entry(&["launch", "  %p = f32[6] iota"], "%p: tile<ptr<f32>>", body);
    Folder::of(&program).tile(&["run", "a.tile"])
}

/// The text of a finding at the word `marked` in this line of the body.
fn shown(code: &str, message: &str, row: usize, line: &str, marked: &str) -> String {
    let line = format!("    {line}");
    let column = line.find(marked).expect("the line contains the word") + 1;
    let gap = " ".repeat(row.to_string().len());
    let carets = format!("{}{}", " ".repeat(column - 1), "^".repeat(marked.len()));
    format!("error[{code}]: {message}\n{gap} ┌─ a.tile:{row}:{column}\n{gap} │\n{row} │ {line}\n{gap} │ {carets}\n\n")
}

#[test]
fn a_buffer_that_is_too_small() {
    let load = "%x, %t = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token";
    let output = run(&[
        "%i = iota : tile<8xi32>",
        "%one = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
        "%all = broadcast %one : tile<1xptr<f32>> -> tile<8xptr<f32>>",
        "%q = offset %all, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>",
        load,
    ]);
    let message = "this reads element 6 of `%p`, which has 6 elements of f32";
    output.is(1, "", &shown("R0102", message, 9, load, "load_ptr_tko"));
}

#[test]
fn a_pointer_before_its_buffer() {
    let store = "%t = store_ptr_tko weak %q, %x : tile<ptr<f32>>, tile<f32> -> token";
    let output = run(&[
        "%i = constant <i32: -1> : tile<i32>",
        "%x = constant <f32: 1.0> : tile<f32>",
        "%q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>",
        store,
    ]);
    let message = "this writes element -1 of `%p`, which has 6 elements of f32";
    output.is(1, "", &shown("R0102", message, 8, store, "store_ptr_tko"));
}

#[test]
fn an_index_outside_the_index_space() {
    let view = "partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>";
    let load = format!("%x, %t = load_view_tko weak %w[%i] : {view}, tile<i32> -> tile<4xf32>, token");
    let output = run(&[
        "%i = constant <i32: 2> : tile<i32>",
        "%v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>",
        &format!("%w = make_partition_view %v : {view}"),
        &load,
    ]);
    let message = "index 2 in dimension 0 is outside the index space [2]";
    output.is(1, "", &shown("R0501", message, 8, &load, "load_view_tko"));
}

#[test]
fn a_null_pointer() {
    let load = "%x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token";
    let output = run(&["%i = constant <i64: 0> : tile<i64>", "%q = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>", load]);
    let message = "this reads through a null pointer, where there is no memory";
    output.is(1, "", &shown("R0101", message, 7, load, "load_ptr_tko"));
}

#[test]
fn a_misaligned_pointer() {
    let load = "%x, %t = load_ptr_tko weak %s : tile<ptr<f32>> -> tile<f32>, token";
    let output = run(&[
        "%i = constant <i32: 1> : tile<i32>",
        "%q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>",
        "%r = offset %q, %i : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>",
        "%s = ptr_to_ptr %r : tile<ptr<i8>> -> tile<ptr<f32>>",
        load,
    ]);
    let message = "this reads 4 bytes at byte 1 of `%p`, which is not a multiple of 4";
    output.is(1, "", &shown("R0103", message, 9, load, "load_ptr_tko"));
}

#[test]
fn earlier_prints_are_kept() {
    let load = "%x, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token";
    let output = run(&[
        "%before = print_tko \"before\\n\" -> token",
        "%i = constant <i64: 0> : tile<i64>",
        "%q = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>",
        load,
        "%after = print_tko \"after\\n\" -> token",
    ]);
    let message = "this reads through a null pointer, where there is no memory";
    output.is(1, "before\n", &shown("R0101", message, 8, load, "load_ptr_tko"));
}

#[test]
fn the_tile_block_is_named_if_there_are_several() {
    let body = [
        "%x, %y, %z = get_tile_block_id : tile<i32>",
        "%q = offset %p, %x : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>",
        "%v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token",
    ];
    let program = entry(&["launch grid=(7, 1, 1)", "  %p = f32[6] iota"], "%p: tile<ptr<f32>>", &body);
    let output = Folder::of(&program).tile(&["run", "a.tile"]);
    assert_eq!((output.status, output.messages()), (Some(1), 1), "{}", output.err);
    assert!(output.err.contains("= in tile block (6, 0, 0)\n"), "{}", output.err);
}
