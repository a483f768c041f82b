//! Edits, diagnostics and fixes.

use crate::support::{Page, scale};
use serde_json::{Value, json};

#[test]
fn an_edit_is_checked_and_its_fix_has_positions_of_javascript() {
    let mut page = Page::open(&scale("%block"));
    assert_eq!(page.ask(json!({ "method": "diagnostics" })), json!([]));
    let at = page.at("addf") + 4;
    page.ask(json!({ "method": "edit", "changes": [[at, at, "f"]] }));
    page.text = page.text.replace("addf", "addff");
    let found = page.ask(json!({ "method": "diagnostics" }));
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!((found[0]["code"].as_str(), page.slice(&found[0]["range"]).as_str()), (Some("E0002"), "addff"));
    let fix = &found[0]["fixes"][0];
    assert_eq!(fix["title"], "Write `addf`");
    assert_eq!(fix["edits"], json!([{ "from": at - 4, "to": at + 1, "insert": "addf" }]));
    assert_eq!(page.ask(json!({ "method": "fixAll" })), json!([]), "the fix is a guess");
}

#[test]
fn all_safe_fixes_are_applied_at_once() {
    let text = scale("%block");
    let mut page = Page::open(&text.replace("%b = addf %a, %a : tile<128xf32>", "%b = addf %a, %a"));
    let edits = page.ask(json!({ "method": "fixAll" }));
    let inserted = edits.as_array().into_iter().flatten().filter_map(|edit| edit["insert"].as_str());
    assert_eq!(inserted.collect::<String>().trim(), ": tile<128xf32>", "{edits}");
}

#[test]
fn several_changes_are_one_edit() {
    let mut page = Page::open("// \u{1f600} one\n// two\n");
    let (one, two) = (page.at("one"), page.at("two"));
    page.ask(json!({ "method": "edit", "changes": [[one, one + 3, "1"], [two, two + 3, "2"]] }));
    assert_eq!(page.ask(json!({ "method": "format" })), "// \u{1f600} 1\n// 2\n");
}

#[test]
fn refactorings_are_offered() {
    let mut page = Page::open(&scale("%block").replace("  //@", "  //"));
    let at = page.at("@scale");
    let offered = page.ask(json!({ "method": "refactorings", "range": [at, at] }));
    let titles: Vec<&str> =
        offered.as_array().into_iter().flatten().filter_map(|change| change["title"].as_str()).collect();
    assert!(titles.iter().any(|title| title.contains("launch")), "{titles:?}");
    assert!(offered[0]["edits"].as_array().is_some_and(|edits: &Vec<Value>| !edits.is_empty()));
}
