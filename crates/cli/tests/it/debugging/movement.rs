//! Going to a tile block, and stepping backwards.

use super::editor::{Editor, pair, path, program, step};
use serde_json::json;

fn started(name: &str, arguments: serde_json::Value, lines: &[u32]) -> Editor {
    let mut all = json!({ "program": path(name), "stopOnEntry": true });
    for (key, value) in arguments.as_object().expect("an object") {
        all[key] = value.clone();
    }
    let mut editor = Editor::launched(all);
    editor.break_in(name, lines.iter().map(|line| json!({ "line": line })).collect());
    editor.ask("configurationDone", json!({}));
    editor.stop();
    editor
}

#[test]
fn going_to_a_tile_block() {
    let mut editor = started("sums", json!({ "launch": "two" }), &[16]);
    editor.ask("goToBlock", json!({ "block": [1, 0, 0] }));
    editor.event("continued");
    let stopped = editor.event("stopped");
    assert_eq!(stopped["reason"], "goto");
    assert_eq!(stopped["description"], "tile block (1, 0, 0): start");
    assert_eq!(editor.event("output")["output"], "sum [0, 0, 0, 0]\n");
    assert_eq!(editor.event("output")["output"], "now in tile block (1, 0, 0)\n");
    assert_eq!(editor.go("next"), step("step", "constant", 8));
    assert_eq!(editor.value("%x"), "1");
    // Back, and forwards again. Nothing is printed twice.
    let answer = editor.ask("evaluate", json!({ "expression": "block 0", "context": "repl" }));
    assert_eq!(answer["result"], "running to tile block (0, 0, 0)");
    assert_eq!(editor.stop().0, "goto");
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.value("%xs"), "[0, 0, 0, 0]");
    editor.ask("evaluate", json!({ "expression": "block (1, 0, 0)", "context": "repl" }));
    assert_eq!(editor.stop().0, "goto");
    editor.break_at(&[]);
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    let printed: Vec<_> = output.into_iter().filter(|(to, _)| to == "stdout").collect();
    assert_eq!((printed, code), (vec![pair("stdout", "sum [3, 3, 3, 3]\n")], 0));
}

#[test]
fn the_only_tile_block_to_stop_in_changes() {
    let mut editor = started("sums", json!({ "launch": "two", "block": [0, 0, 0] }), &[16]);
    editor.ask("goToBlock", json!({ "block": [1, 0, 0] }));
    editor.stop();
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block")[0], pair("coordinates", "(1, 0, 0)"));
}

#[test]
fn tile_blocks_outside_the_grid_are_refused() {
    let mut editor = started("sums", json!({ "launch": "two" }), &[]);
    let range = "the grid's tile blocks are [0, 0, 0] to [1, 0, 0]";
    let refused = editor.refused("goToBlock", json!({ "block": [2, 0, 0] }));
    assert_eq!(refused, format!("`block` is [2,0,0]; {range}"));
    for (command, block) in [("block 0 1", "[0,1]"), ("block", "[]"), ("block x", "[\"x\"]")] {
        let refused = editor.refused("evaluate", json!({ "expression": command, "context": "repl" }));
        assert_eq!(refused, format!("`block` is {block}; {range}"));
    }
    assert_eq!(editor.refused("goToBlock", json!({})), "the request names no `block`");
    // In a watch, it is a value.
    let refused = editor.refused("evaluate", json!({ "expression": "block", "context": "watch" }));
    assert_eq!(refused, "unknown value `%block`");
}

#[test]
fn stepping_back() {
    let mut editor = started("sums", json!({ "launch": "two" }), &[20]);
    assert_eq!(editor.ask("initialize", json!({}))["supportsStepBack"], true);
    assert_eq!(editor.go("continue"), step("breakpoint", "constant", 20));
    editor.break_at(&[]);
    // Over the print, and the whole loop.
    assert_eq!(editor.go("stepBack"), step("step", "print_tko", 19));
    assert_eq!(editor.value("%total"), "[0, 0, 0, 0]");
    assert_eq!(editor.go("stepBack"), step("step", "for", 14));
    assert_eq!(editor.refused("evaluate", json!({ "expression": "%total" })), "`%total` is not in scope at this op");
    // Forwards again, into the loop, and back to the previous iteration.
    assert_eq!(editor.go("stepIn"), step("step", "addi", 16));
    assert_eq!(editor.go("next"), step("step", "continue", 17));
    assert_eq!(editor.go("next"), step("step", "addi", 16));
    assert_eq!(editor.value("%i"), "1");
    assert_eq!(editor.go("stepBack"), step("step", "continue", 17));
    assert_eq!(editor.value("%i"), "0");
    assert_eq!(editor.go("stepBack"), step("step", "addi", 16));
    assert_eq!(editor.go("stepBack"), step("step", "for", 14));
    for line in (7..=13).rev() {
        assert_eq!(editor.go("stepBack").2, line);
    }
    assert_eq!(editor.go("stepBack"), step("entry", "get_tile_block_id", 7), "the first op of the launch");
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    let printed = [pair("stdout", "sum [0, 0, 0, 0]\n"), pair("stdout", "sum [3, 3, 3, 3]\n")];
    assert_eq!((output[..2].to_vec(), code), (printed.to_vec(), 0));
}

#[test]
fn memory_is_restored() {
    let mut editor = started("product", json!({}), &[40]);
    assert_eq!(editor.go("continue"), step("breakpoint", "return", 40));
    assert_eq!(editor.value("sum(%c)"), "992");
    assert_eq!(editor.go("continue"), step("breakpoint", "return", 40));
    assert_eq!(editor.value("sum(%c)"), "1984");
    assert_eq!(editor.go("stepBack"), step("step", "store_view_tko", 37));
    assert_eq!(editor.value("sum(%c)"), "992");
    // Into the previous tile block.
    assert_eq!(editor.go("reverseContinue"), step("breakpoint", "return", 40));
    assert_eq!(editor.event("output")["output"], "now in tile block (1, 0, 0)\n");
    assert_eq!(editor.event("output")["output"], "now in tile block (0, 0, 0)\n");
    assert_eq!(editor.value("sum(%c)"), "992");
    assert_eq!(editor.go("stepBack"), step("step", "store_view_tko", 37));
    assert_eq!(editor.value("sum(%c)"), "0");
    editor.break_in("product", json!([]));
    editor.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(editor.end().1, 0);
}

#[test]
fn continuing_backwards() {
    let mut editor = started("sums", json!({ "launch": "two" }), &[19]);
    editor.go("continue");
    assert_eq!(editor.go("continue"), step("breakpoint", "print_tko", 19));
    // The breakpoints of now count, and their hits from the start of the launch.
    editor.break_in("sums", json!([{ "line": 16, "condition": "%i == 1" }, { "line": 17, "hitCondition": "5" }]));
    assert_eq!(editor.go("reverseContinue"), step("breakpoint", "continue", 17));
    assert_eq!(editor.scope("Tile block"), [pair("coordinates", "(1, 0, 0)"), pair("iteration, loop 1", "1")]);
    assert_eq!(editor.go("reverseContinue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.go("reverseContinue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block")[0].1, "(0, 0, 0)");
    // Without an earlier one, to the first op.
    assert_eq!(editor.go("reverseContinue"), step("entry", "get_tile_block_id", 7));
    // A change of data is found in both directions.
    editor.break_in("sums", json!([{ "line": 29 }]));
    editor.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "%out[6]" }] }));
    assert_eq!(editor.go("continue"), step("breakpoint", "store_ptr_tko", 29));
    assert_eq!(editor.go("continue"), step("breakpoint", "store_ptr_tko", 29));
    assert_eq!(editor.go("continue"), step("data breakpoint", "return", 30));
    assert_eq!(editor.value("%out"), "[0, 0, 0, 0, 3, 3, 3, 3]");
    assert_eq!(editor.go("reverseContinue"), step("breakpoint", "store_ptr_tko", 29));
    editor.break_in("sums", json!([]));
    assert_eq!(editor.go("next"), step("data breakpoint", "return", 30));
    editor.ask("evaluate", json!({ "expression": "block 0", "context": "repl" }));
    assert_eq!(editor.stop().0, "goto");
    assert_eq!(editor.go("continue"), step("data breakpoint", "return", 30));
}

#[test]
fn back_from_a_failure() {
    let mut editor = Editor::launched(json!({ "program": program(), "entry": "too_far" }));
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.stop().0, "exception");
    assert_eq!(editor.go("stepBack"), step("step", "offset", 40));
    assert_eq!(editor.value("%place"), "4");
    assert_eq!(editor.go("next"), step("step", "store_ptr_tko", 41));
    assert_eq!(editor.go("next"), step("exception", "store_ptr_tko", 41));
    // Breakpoints on the way do not stop the run.
    editor.ask("goToBlock", json!({ "block": [0] }));
    assert_eq!(editor.stop().0, "goto");
    editor.ask("goToBlock", json!({ "block": [1] }));
    assert_eq!(editor.stop().0, "goto");
    assert_eq!(editor.go("continue"), step("exception", "store_ptr_tko", 41));
}

#[test]
fn data_breakpoints_in_the_console() {
    let mut editor = started("product", json!({}), &[]);
    let ask = |editor: &mut Editor, expression: &str| {
        editor.ask("evaluate", json!({ "expression": expression, "context": "repl" }))["result"].clone()
    };
    assert_eq!(ask(&mut editor, "break %c[0, 5]"), "set a data breakpoint on %c[0, 5]");
    assert_eq!(ask(&mut editor, "break %c[0, 0]"), "set a data breakpoint on %c[0, 0]");
    assert_eq!(ask(&mut editor, "break %c[0, 0]"), "removed a data breakpoint on %c[0, 0]");
    // Those of the editor are separate.
    editor.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
    assert_eq!(editor.go("continue"), step("data breakpoint", "return", 40));
    assert_eq!(editor.ask("threads", json!({}))["threads"][0]["name"], "tile block (1, 0, 0)");
    assert_eq!(editor.go("reverseContinue"), step("entry", "make_tensor_view", 9));
    let refused = editor.refused("evaluate", json!({ "expression": "break %c + 1", "context": "repl" }));
    assert_eq!(refused, "`%c + 1` is not a buffer or a slice of one");
}
