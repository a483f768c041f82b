//! Breakpoints with conditions, hit counts and messages.

use super::editor::{Editor, pair, program};
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
