//! `tile lsp`: what values and buffers held in the last run, profiles and traces.

use crate::editor::{Client, URI};
use serde_json::{Value, json};
use std::process::Command;

/// Doubles a buffer. In each block, a loop adds up its number, and one element of `%nan` is NaN.
const PROGRAM: &str = "cuda_tile.module @m {
  //@ launch \"small\" grid=(2, 1, 1)
  //@   %x = f32[8] iota
  //@   %y = f32[8] zeros
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %all = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %from = make_partition_view %all : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    %in, %loaded = load_view_tko weak %from[%block]
        : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %out = addf %in, %in : tile<4xf32>
    %zero = subf %in, %in : tile<4xf32>
    %nan = divf %zero, %in : tile<4xf32>
    %result = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %to = make_partition_view %result : partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>
    store_view_tko weak %out, %to[%block]
        : tile<4xf32>, partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>, tile<i32> -> token
    print_tko \"block %i of a longer text that an editor cuts at 43 characters\\n\", %block : tile<i32> -> token
    return
  }
}
";

/// The part of a hover about the last run.
fn last_run(hover: &str) -> &str {
    hover.find("**In the last run**").map_or("", |at| &hover[at..])
}

fn run(client: &mut Client, command: &str) {
    let target = json!({ "uri": URI, "entry": "k", "launch": "small", "sanitize": false });
    let answer = client.execute(command, target).expect("the run succeeds");
    assert_eq!(answer["passed"], true, "{answer}");
}

#[test]
fn a_hover_shows_what_a_value_held_in_the_last_run() {
    let mut client = Client::with(PROGRAM);
    assert_eq!(last_run(&client.hover_text(PROGRAM, "%out = ")), "", "nothing has run");
    run(&mut client, "tile.run");
    let out = client.hover_text(PROGRAM, "%out = ");
    assert_eq!(
        last_run(&out),
        "**In the last run** of \"small\", `%out` was computed 2 times, with min 0, max 14, mean 7 in total. \
        Smallest in block (0, 0, 0), largest in block (1, 0, 0).\n\n\
        - block (0, 0, 0): `[0, 2, 4, 6]`\n- block (1, 0, 0): `[8, 10, 12, 14]`\n"
    );
    assert_eq!(last_run(&client.hover_text(PROGRAM, "%out, %to")), last_run(&out), "a use shows the same");
    let nan = client.hover_text(PROGRAM, "%nan = ");
    assert!(nan.contains("1 NaN in total. First NaN in block (0, 0, 0)."), "{nan}");
    assert!(client.hover_text(PROGRAM, "%by, ").ends_with("`%by` was 0 in all 2 executions.\n"));
    let view = client.hover_text(PROGRAM, "%from = ");
    assert!(view.contains("`from %x[0], shape [8], strides [1]`"), "{view}");
    assert_eq!(last_run(&client.hover_text(PROGRAM, "%loaded = ")), "", "a token holds nothing");
}

#[test]
fn values_of_a_changed_text_are_marked() {
    let mut client = Client::with(PROGRAM);
    run(&mut client, "tile.run");
    client.edit(2, 0, "// above\n");
    let moved = format!("// above\n{PROGRAM}");
    let out = client.hover_text(&moved, "%out = ");
    assert!(last_run(&out).starts_with("**In the last run** of \"small\", `%out`"), "{out}");
    client.edit(3, 12, "    %more = addf %out, %out : tile<4xf32>\n");
    let mut lines: Vec<&str> = moved.lines().collect();
    lines.insert(12, "    %more = addf %out, %out : tile<4xf32>");
    let changed = lines.join("\n");
    let out = client.hover_text(&changed, "%out = ");
    assert!(last_run(&out).starts_with("**In the last run** of \"small\", before the text changed, `%out`"), "{out}");
    assert_eq!(last_run(&client.hover_text(&changed, "%more = ")), "", "it was not computed");
    let buffer = client.hover_text(&changed, "%y = f32");
    assert!(last_run(&buffer).starts_with("**In the last run**, before the text changed, `%y`"), "{buffer}");
}

#[test]
fn a_hover_shows_a_buffer_before_and_after_the_last_run() {
    let mut client = Client::with(PROGRAM);
    assert!(client.hover_text(PROGRAM, "%y = f32").ends_with("Shape `[8]`, strides `[1]`, 32 bytes.\n"));
    run(&mut client, "tile.run");
    let y = client.hover_text(PROGRAM, "%y = f32");
    assert_eq!(
        last_run(&y),
        "**In the last run**, `%y` had shape `[8]`, strides `[1]`, and 32 bytes of `f32`:\n\n\
        - before: all 0; `0, 0, 0, 0, 0, 0, 0, 0`\n\
        - after: min 0, max 14, mean 7; `0, 2, 4, 6, 8, 10, 12, 14`\n"
    );
    assert!(client.hover_text(PROGRAM, "%x = f32").ends_with("- after: unchanged\n"));
}

#[test]
fn printed_text_is_shown_in_full() {
    let mut client = Client::with(PROGRAM);
    run(&mut client, "tile.run");
    let whole = "block 0 of a longer text that an editor cuts at 43 characters\n\
                 block 1 of a longer text that an editor cuts at 43 characters\n";
    let hover = client.hover_text(PROGRAM, "print_tko");
    assert!(hover.starts_with(&format!("text\n{whole}")) || hover.starts_with(&format!("```text\n{whole}")), "{hover}");
    assert!(client.hover_text(PROGRAM, "   print_tko").contains(whole), "in front of the op");
    let params = json!({
        "textDocument": { "uri": URI },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
    });
    let hints = client.request("textDocument/inlayHint", params).expect("hints");
    let tooltip = hints[0]["tooltip"]["value"].as_str().expect("a tooltip");
    assert!(tooltip.contains(whole), "{tooltip}");
}

#[test]
fn a_profile_is_a_column_beside_the_lines_until_the_next_run() {
    let mut client = Client::with(PROGRAM);
    run(&mut client, "tile.profile");
    let hints = client.hints();
    let column: Vec<&(u64, String)> = hints.iter().filter(|(line, _)| (5..=19).contains(line)).collect();
    let width = column[0].1.chars().count();
    let is_cell = |(_, label): &&&(u64, String)| label.chars().count() == width;
    assert_eq!(
        column.iter().filter(is_cell).count(),
        15,
        "one for each line to the end of the entry, of the same width: {hints:?}"
    );
    let of_line = |line: u64| &column.iter().find(|(number, _)| *number == line).expect("a hint").1;
    assert!(of_line(8).contains("←32 bytes") && of_line(15).contains("→32 bytes"), "{hints:?}");
    assert_eq!(of_line(9).trim(), "", "the second line of a statement");
    client.edit(2, 10, "    // comment\n");
    assert_eq!(client.hints().iter().filter(|(line, _)| (5..=20).contains(line)).count(), 17);
    run(&mut client, "tile.run");
    assert!(!client.hints().iter().any(|(_, label)| label.contains('←')), "a run drops the profile");
}

#[test]
fn a_trace_is_shown_at_the_lines_and_in_the_output() {
    let mut client = Client::with(PROGRAM);
    run(&mut client, "tile.trace");
    assert!(client.hints().contains(&(10, "[0, 2, 4, 6]".to_string())), "{:?}", client.hints());
    let written = client.written("stdout");
    assert!(written.contains("%out at line 11 in block (0, 0, 0): tile<4xf32> [0, 2, 4, 6]\n"), "{written}");
    assert!(!written.contains("in block (1, 0, 0)"), "only the first block is traced by default: {written}");
    let target = json!({ "uri": URI, "entry": "k", "values": ["%out"], "block": [1, 0, 0] });
    client.execute("tile.trace", target).expect("the run succeeds");
    assert!(client.hints().contains(&(10, "[8, 10, 12, 14]".to_string())), "{:?}", client.hints());
    let unknown = json!({ "uri": URI, "entry": "k", "values": ["%outt"] });
    let refused = client.execute("tile.trace", unknown).expect_err("the value is unknown");
    assert!(refused["message"].as_str().is_some_and(|it| it.contains("did you mean `%out`?")), "{refused}");
}

#[test]
fn a_benchmark_needs_a_gpu() {
    let mut client = Client::with(PROGRAM);
    let refused = client.execute("tile.bench", json!({ "uri": URI, "entry": "k" })).expect_err("no GPU");
    assert_eq!(refused["message"], "benchmarks need a GPU; choose one as the target of kernels");
}

/// The page about a place in the program.
fn view(client: &mut Client, params: Value) -> Result<Value, Value> {
    let mut all = json!({ "textDocument": { "uri": URI } });
    all.as_object_mut().expect("an object").extend(params.as_object().expect("an object").clone());
    client.request("tile/view", all)
}

#[test]
fn a_page_shows_a_value_a_buffer_or_an_expectation() {
    let program = PROGRAM.replace("  entry @k", "  //@ expect %y == %x\n  entry @k");
    let mut client = Client::with(&program);
    let mut at =
        |line: u32, character: u32| view(&mut client, json!({ "position": { "line": line, "character": character } }));
    let value = at(11, 6).expect("a page");
    assert_eq!(value["title"], "%out in @k, launch \"small\", grid (2, 1, 1)");
    assert!(value["html"].as_str().is_some_and(|html| html.contains("\"type\":\"tile\\u003c4xf32>\"")));
    assert_eq!(at(3, 9).expect("a page")["title"], "%y in @k, launch \"small\", grid (2, 1, 1)");
    assert_eq!(at(4, 8).expect("a page")["title"], "expect %y == %x in @k, launch \"small\", grid (2, 1, 1)");
    let view_of = at(8, 6).expect_err("a view has no elements");
    assert_eq!(view_of["message"], "`%from` is not a tile or a buffer");
    let nothing = at(19, 5).expect_err("there is nothing");
    assert_eq!(nothing["message"], "there is no value, buffer or expectation at this position");
    let at = json!({ "block": [1, 0, 0], "iterations": [] });
    let named =
        view(&mut client, json!({ "entry": "k", "launch": "small", "value": "%in", "at": at })).expect("a page");
    assert!(named["html"].as_str().is_some_and(|html| html.contains("\"at\":{\"block\":[1,0,0],\"iterations\":[]}")));
}

#[test]
fn a_failed_expectation_offers_its_differences() {
    let program = PROGRAM.replace("  entry @k", "  //@ expect %y == %x\n  entry @k");
    let mut client =
        Client::started(&mut Command::new(env!("CARGO_BIN_EXE_tile")), json!({ "commands": ["tile.view"] }));
    client.open(&program);
    client.run();
    client.found();
    let published = client.messages.iter().rfind(|message| message["method"] == "textDocument/publishDiagnostics");
    let diagnostics = published.expect("diagnostics")["params"]["diagnostics"].clone();
    let of_run = diagnostics.as_array().expect("a list").iter().find(|each| each["source"] == "tile run");
    let range = of_run.expect("a failure")["range"].clone();
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": diagnostics } });
    let actions = client.request("textDocument/codeAction", params).expect("actions");
    let action = actions.as_array().expect("a list").iter().find(|action| action["title"] == "Show the differences");
    let command = &action.expect("an action")["command"];
    assert_eq!(command["command"], "tile.view");
    assert_eq!(command["arguments"][0], json!({ "uri": URI, "position": range["start"] }));
}

#[test]
fn no_page_runs_a_kernel_in_an_untrusted_workspace() {
    let mut client = Client::started(&mut Command::new(env!("CARGO_BIN_EXE_tile")), json!({ "trusted": false }));
    client.open(PROGRAM);
    let refused = view(&mut client, json!({ "entry": "k", "value": "%out" })).expect_err("nothing may run");
    assert_eq!(refused["message"], "kernels run only in a trusted workspace");
}

#[test]
fn values_of_an_expected_failure_are_complete() {
    let program = PROGRAM.replace("  entry @k", "  //@ expect error R0301\n  entry @k").replace(
        "    return\n",
        "    %no = constant <i1: 0> : tile<i1>\n    assert %no, \"no\" : tile<i1>\n    return\n",
    );
    let mut client = Client::with(&program);
    run(&mut client, "tile.run");
    let out = client.hover_text(&program, "%out = ");
    // The second tile block may have run as well before the first one stopped the launch.
    assert!(last_run(&out).contains("`[0, 2, 4, 6]`") && !out.contains("executions are missing"), "{out}");
}
