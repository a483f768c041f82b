//! Formulas of the values in scope, and rows of tiles and buffers.

use super::editor::{Editor, pair, path, step};
use serde_json::{Value, json};

/// The product, stopped before `continue` of the first step of the second tile block.
fn stopped() -> Editor {
    let mut editor = Editor::launched(json!({ "program": path("product"), "block": [1, 0, 0] }));
    editor.break_in("product", json!([{ "line": 35 }]));
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.stop().0, "breakpoint");
    editor
}

#[test]
fn formulas_of_values_and_buffers() {
    let mut editor = stopped();
    for (formula, result, ty) in [
        ("max(abs(%next - %left @ %right))", "0", "f32"),
        ("%next - %left @ %right", "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]", "f32[4, 4]"),
        ("%left[0:2, 3]", "[3, 11]", "f32[2]"),
        ("%left[-1]", "[24, 25, 26, 27]", "f32[4]"),
        ("%next[0, 0] == 3", "1", "i64"),
        ("%a[3, 4:]", "[28, 29, 30, 31]", "f32[4]"),
        ("mean(%left) / 3", "4.5", "f32"),
        ("%left[0, 1] / 3", "0.3333333333333333", "f64"),
        ("2 * %k + %x", "1", "i64"),
        ("%x", "1", "tile<i32>"),
        ("k", "0", "tile<i32>"),
        ("sum(%c)", "992", "f32"),
        (
            "%a_tiles",
            "from %a[0], shape [4, 8], strides [8, 1]",
            "partition_view<tile=(4x4), tensor_view<4x8xf32, strides=[8,1]>>",
        ),
    ] {
        let found = editor.ask("evaluate", json!({ "expression": formula, "context": "watch" }));
        assert_eq!((&found["result"], &found["type"]), (&json!(result), &json!(ty)), "{formula}");
    }
    let hover = editor.ask("evaluate", json!({ "expression": "left", "context": "hover" }));
    assert_eq!(hover["type"], "tile<4x4xf32>");
    for (formula, error) in [
        ("%nxt + 1", "unknown value `%nxt`; did you mean `%next`?"),
        ("%total", "`%total` is not in scope at this op"),
        ("%left + %a", "the shapes [4, 4] and [4, 8] cannot be broadcast together"),
        ("%left[4, 0]", "index 4 is outside the extent 4 of [4, 4]"),
        (
            "%a_tiles[0]",
            "`%a_tiles` is a partition_view<tile=(4x4), tensor_view<4x8xf32, strides=[8,1]>>, which has no elements",
        ),
        ("median(%left)", "unknown function `median`"),
        ("%left +", "expected a number, an argument such as `%a`, or a function, but the line ends here"),
        ("", "expected a number, an argument such as `%a`, or a function, but the line ends here"),
    ] {
        let refused = editor.refused("evaluate", json!({ "expression": formula, "context": "repl" }));
        assert!(refused.starts_with(error), "{formula}: {refused}");
    }
}

#[test]
fn tiles_and_buffers_are_shown_by_rows() {
    let mut editor = stopped();
    let scopes = editor.ask("scopes", json!({ "frameId": 1 }))["scopes"].clone();
    let shown = |scope: &Value| (scope["name"].clone(), scope["presentationHint"].clone(), scope["expensive"].clone());
    assert_eq!(shown(&scopes[0]), (json!("Values"), json!("locals"), json!(false)));
    let values = editor.ask("variables", json!({ "variablesReference": scopes[0]["variablesReference"] }));
    let next = &values["variables"][0];
    assert_eq!(
        (&next["name"], &next["type"], &next["indexedVariables"]),
        (&json!("%next"), &json!("tile<4x4xf32>"), &json!(4))
    );
    assert!(next["value"].as_str().is_some_and(|value| value.starts_with("4x4xf32 [[3, 3, 3, 3], [19, ")), "{next}");
    let rows =
        editor.ask("variables", json!({ "variablesReference": next["variablesReference"], "start": 1, "count": 2 }));
    let rows = rows["variables"].as_array().expect("a list");
    let row = &rows[0];
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&row["name"], &row["value"], &row["type"]),
        (&json!("[1]"), &json!("[19, 19, 19, 19]"), &json!("tile<4xf32>"))
    );
    assert_eq!(row["evaluateName"], "%next[1]");
    let elements = editor.ask("variables", json!({ "variablesReference": row["variablesReference"] }));
    let element = &elements["variables"][3];
    assert_eq!(
        (&element["name"], &element["value"], &element["type"]),
        (&json!("[1, 3]"), &json!("19"), &json!("tile<f32>"))
    );
    assert_eq!((&element["evaluateName"], &element["variablesReference"]), (&json!("%next[1, 3]"), &json!(0)));
    assert_eq!(editor.value("%next[1, 3]"), "19");

    // The other tile block has written its half of the buffer.
    let parameters = editor.scope("Parameters");
    assert_eq!(parameters[2].0, "%c");
    let reference = editor.ask("evaluate", json!({ "expression": "%c" }))["variablesReference"].clone();
    assert_eq!(editor.inside(&reference)[0], pair("[0]", "[14, 14, 14, 14, 0, 0, 0, 0]"));
    // The result of a formula.
    let reference = editor.ask("evaluate", json!({ "expression": "%left + 1" }))["variablesReference"].clone();
    let row = editor.ask("variables", json!({ "variablesReference": reference }))["variables"][3].clone();
    assert_eq!((&row["value"], &row["evaluateName"]), (&json!("[25, 26, 27, 28]"), &json!("(%left + 1)[3]")));
    assert_eq!(editor.value("(%left + 1)[3]"), "[25, 26, 27, 28]");

    // References are valid until the run continues.
    assert_eq!(editor.go("next"), step("step", "load_view_tko", 28));
    assert!(editor.inside(&reference).is_empty());
}

#[test]
fn names_are_completed_in_the_console() {
    let mut editor = stopped();
    for (text, column, expected, replaced) in [
        ("max(%ne", 8, &["%next"][..], (5, 3)),
        ("max(%ne", 7, &["%next"], (5, 2)),
        ("%a", 3, &["%a_tiles", "%a_view", "%a"], (1, 2)),
        ("1 + to", 7, &["%to"], (5, 2)),
        ("", 1, &["%next"], (1, 0)),
        ("\u{1F600}%zz", 6, &[], (0, 0)),
    ] {
        let found = editor.ask("completions", json!({ "text": text, "column": column }))["targets"].clone();
        let found = found.as_array().expect("a list");
        for (item, label) in found.iter().zip(expected) {
            let range = (item["start"].as_u64(), item["length"].as_u64());
            assert_eq!((&item["label"], range), (&json!(label), (Some(replaced.0), Some(replaced.1))), "{text}");
        }
        assert!(text.is_empty() || found.len() == expected.len(), "{text}: {found:?}");
    }
}
