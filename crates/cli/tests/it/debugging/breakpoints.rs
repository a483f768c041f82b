//! Breakpoints with conditions, hit counts and messages, and breakpoints on elements of buffers.

use super::editor::{Editor, pair, path, program};
use serde_json::{Value, json};

/// The launch "two" of the sums, with these breakpoints, before it runs.
fn with_breakpoints(breakpoints: Value) -> Editor {
    let mut editor = Editor::launched(json!({ "program": program(), "launch": "two" }));
    for breakpoint in editor.break_in("sums", breakpoints) {
        assert_eq!(breakpoint["verified"], true, "{breakpoint}");
    }
    editor.ask("configurationDone", json!({}));
    editor
}

/// The tile block and iteration of each stop at a breakpoint, until the run ends.
fn stops(breakpoint: Value) -> Vec<(String, String)> {
    let mut editor = with_breakpoints(json!([breakpoint]));
    let mut stops = Vec::new();
    while editor.stops() {
        let scope = editor.scope("Tile block");
        stops.push((scope[0].1.clone(), scope[1].1.clone()));
        editor.ask("continue", json!({ "threadId": 1 }));
    }
    stops
}

#[test]
fn conditions_and_hit_counts() {
    let cases: [(Value, &[(&str, &str)]); 7] = [
        (json!({ "line": 16, "condition": "%i == 1" }), &[("(0, 0, 0)", "1"), ("(1, 0, 0)", "1")]),
        (json!({ "line": 16, "condition": "max(%sum) > 1" }), &[("(1, 0, 0)", "2")]),
        (json!({ "line": 16, "hitCondition": "2" }), &[("(0, 0, 0)", "1")]),
        (json!({ "line": 16, "hitCondition": ">= 5" }), &[("(1, 0, 0)", "1"), ("(1, 0, 0)", "2")]),
        (json!({ "line": 16, "hitCondition": "% 3" }), &[("(0, 0, 0)", "2"), ("(1, 0, 0)", "2")]),
        // Only hits that meet the condition count.
        (json!({ "line": 16, "condition": "%i", "hitCondition": "3" }), &[("(1, 0, 0)", "1")]),
        (json!({ "line": 16, "condition": "", "hitCondition": "99" }), &[]),
    ];
    for (breakpoint, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|(block, iteration)| pair(block, iteration)).collect();
        assert_eq!(stops(breakpoint.clone()), expected, "{breakpoint}");
    }
}

#[test]
fn a_changed_breakpoint_counts_from_the_beginning() {
    let mut editor = with_breakpoints(json!([{ "line": 16, "hitCondition": "2" }, { "line": 19 }]));
    editor.stop();
    assert_eq!(editor.scope("Tile block")[1].1, "1");
    // An unchanged one keeps its count.
    editor.break_in("sums", json!([{ "line": 16, "hitCondition": "2" }, { "line": 19 }, { "line": 20 }]));
    assert_eq!(editor.go("continue").2, 19);
    editor.break_in("sums", json!([{ "line": 16, "hitCondition": "1" }]));
    assert_eq!(editor.go("continue").2, 16);
    assert_eq!(editor.scope("Tile block"), [pair("coordinates", "(1, 0, 0)"), pair("iteration, loop 1", "0")]);
}

#[test]
fn messages_are_written_without_stopping() {
    let message = "block {%x}, {%i}: {%sum[0] + %xs[0]} {%sum + %out}";
    let mut editor = with_breakpoints(json!([{ "line": 16, "condition": "%i > 1", "logMessage": message }]));
    let (output, code) = editor.end();
    let console: Vec<&str> = output.iter().filter(|(to, _)| to == "console").map(|(_, text)| &**text).collect();
    let error = "{%sum + %out: the shapes [4] and [8] cannot be broadcast together}";
    let expected = [format!("block 0, 2: 0 {error}\n"), format!("block 1, 2: 3 {error}\n"), "expectation met\n".into()];
    assert_eq!((console, code), (expected.iter().map(|text| &**text).collect(), 0));
}

#[test]
fn mistakes_in_conditions() {
    let mut editor = Editor::launched(json!({ "program": program(), "launch": "two" }));
    let cases = [
        (json!({ "condition": "%summ > 1" }), "unknown value `%summ`; did you mean `%sum`?"),
        (json!({ "condition": "%total == 1" }), "`%total` is not in scope at this op"),
        (json!({ "condition": "%i = 1" }), "unexpected `=`"),
        (
            json!({ "hitCondition": "often" }),
            "invalid hit count `often`; expected a number such as `5`, `>= 5` or `% 5`",
        ),
        (json!({ "logMessage": "sum {%sum" }), "`{` has no matching `}`"),
        (json!({ "logMessage": "{%summ}" }), "unknown value `%summ`; did you mean `%sum`?"),
    ];
    for (mut breakpoint, message) in cases {
        breakpoint["line"] = json!(16);
        let answer = editor.break_in("sums", json!([breakpoint]));
        assert_eq!((&answer[0]["verified"], &answer[0]["message"]), (&json!(false), &json!(message)));
    }
    // A condition that fails stops the run.
    editor.break_in("sums", json!([{ "line": 16, "condition": "%sum > 1" }]));
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.stop().0, "breakpoint");
    let output = editor.event("output");
    let message = "condition `%sum > 1` failed: its shape is [4], but a condition is a single number; use `max` if one \
                   element is enough, or `min` if all must hold\n";
    assert_eq!((&output["output"], &output["line"]), (&json!(message), &json!(16)));
}

/// The product with data breakpoints on these elements, before it runs.
fn product(breakpoints: Value) -> Editor {
    let mut editor = Editor::launched(json!({ "program": path("product") }));
    let answer = editor.ask("setDataBreakpoints", json!({ "breakpoints": breakpoints }));
    for breakpoint in answer["breakpoints"].as_array().expect("a list") {
        assert_eq!(breakpoint["verified"], true, "{breakpoint}");
    }
    editor.ask("configurationDone", json!({}));
    editor
}

#[test]
fn data_breakpoints_stop_after_a_change() {
    let mut editor = product(json!([{ "dataId": "%c[1, 2:]", "accessType": "write" }]));
    let changes = [
        "%c[1, 2] changed from 0 to 46, and 1 more element (store_view_tko, line 37)",
        "%c[1, 4] changed from 0 to 46, and 3 more elements (store_view_tko, line 37)",
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let stopped = editor.event("stopped");
        let description = format!("tile block ({number}, 0, 0): data breakpoint");
        assert_eq!((&stopped["reason"], &stopped["text"]), (&json!("data breakpoint"), &json!(change)));
        assert_eq!(stopped["description"], description);
        // The op after the store.
        let stack = editor.ask("stackTrace", json!({ "threadId": 1 }));
        assert_eq!(stack["stackFrames"][0]["line"], 40);
        editor.ask("continue", json!({ "threadId": 1 }));
    }
    let (output, code) = editor.end();
    let console = [changes[0], "now in tile block (1, 0, 0)", changes[1], "expectation met"];
    let console: Vec<_> = console.iter().map(|text| pair("console", &format!("{text}\n"))).collect();
    assert_eq!((output, code), (console, 0));
}

#[test]
fn data_breakpoints_have_conditions_and_counts() {
    for breakpoint in [
        json!({ "dataId": "%c", "condition": "%c[0, 7] > 0" }),
        json!({ "dataId": "%c", "hitCondition": "2" }),
        json!({ "dataId": "%c[3, 7]" }),
    ] {
        let mut editor = product(json!([breakpoint]));
        assert_eq!(editor.event("stopped")["description"], "tile block (1, 0, 0): data breakpoint");
        editor.ask("continue", json!({ "threadId": 1 }));
        editor.end();
    }
}

#[test]
fn data_breakpoints_on_variables_and_formulas() {
    let mut editor = Editor::launched(json!({ "program": path("product") }));
    editor.break_in("product", json!([{ "line": 37 }]));
    editor.ask("configurationDone", json!({}));
    editor.stop();
    let rows = editor.ask("evaluate", json!({ "expression": "%c" }))["variablesReference"].clone();
    let row = editor.ask("variables", json!({ "variablesReference": rows }))["variables"][2].clone();
    for (reference, name, id) in [
        (json!(2), "%c", "%c"),
        (rows, "[2]", "%c[2]"),
        (row["variablesReference"].clone(), "[2, 1]", "%c[2, 1]"),
        (Value::Null, "%c[:, 0]", "%c[:, 0]"),
    ] {
        let info = editor.ask("dataBreakpointInfo", json!({ "variablesReference": reference, "name": name }));
        assert_eq!((&info["dataId"], &info["accessTypes"]), (&json!(id), &json!(["write"])), "{name}");
    }
    for (name, why) in [
        ("%total", "`%total` has no buffer, so it never changes"),
        ("%c + 1", "`%c + 1` is not a buffer or a slice of one"),
        ("%c[4]", "index 4 is outside the extent 4 of [4, 8]"),
    ] {
        let info = editor.ask("dataBreakpointInfo", json!({ "name": name }));
        assert_eq!((&info["dataId"], &info["description"]), (&Value::Null, &json!(why)));
    }
    // Set right before the store.
    editor.break_in("product", json!([]));
    editor.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "%c[2, 1]" }] }));
    editor.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(editor.event("stopped")["reason"], "data breakpoint");
    let answer = editor.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": "%d[2, 1]" }] }));
    assert_eq!(answer["breakpoints"][0]["message"], "unknown value `%d`");
    editor.ask("continue", json!({ "threadId": 1 }));
    editor.end();
}
