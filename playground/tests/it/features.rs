//! Editor features that need no run.

use crate::support::{Page, scale};
use serde_json::{Value, json};

#[test]
fn tokens_cover_the_words_of_a_range() {
    let mut page = Page::open(&scale("%block"));
    let at = page.at("%b = addf");
    let found = page.ask(json!({ "method": "tokens", "range": [at, at + 10] }));
    let numbers: Vec<usize> =
        found["tokens"].as_array().into_iter().flatten().map(|n| n.as_u64().unwrap_or(0) as usize).collect();
    let words: Vec<(String, &str)> = numbers
        .chunks(3)
        .map(|token| (page.slice(&json!([token[0], token[1]])), found["classes"][token[2]].as_str().unwrap_or("")))
        .collect();
    assert!(words.contains(&("%b".to_string(), "value")) && words.contains(&("addf".to_string(), "op")), "{words:?}");
}

#[test]
fn hovers_definitions_and_hints_have_positions_of_javascript() {
    let mut page = Page::open(&scale("%block"));
    let at = page.at("addf %a") + 6;
    let hover = page.ask(json!({ "method": "hover", "at": at }));
    assert_eq!(page.slice(&hover["range"]), "%a");
    assert!(hover["text"].as_str().is_some_and(|text| text.contains("%a: tile<128xf32>")), "{hover}");
    let definition = page.ask(json!({ "method": "definition", "at": at }));
    assert_eq!(definition, json!([page.at("%a, %t"), page.at("%a, %t") + 2]));
    let all = page.text.encode_utf16().count();
    let hints = page.ask(json!({ "method": "inlays", "range": [0, all] }));
    assert_eq!(hints[0]["label"], "2 tiles");
    assert_eq!(hints[0]["at"], page.at("\n    %vy"));
}

#[test]
fn completions_replace_the_word_and_have_documentation() {
    let mut page = Page::open(&scale("%block"));
    let at = page.at("addf") + 3;
    let found = page.ask(json!({ "method": "completions", "at": at }));
    assert_eq!(page.slice(&found["range"]), "add");
    let items = found["items"].as_array().expect("there are completions");
    let op = items.iter().find(|item| item["label"] == "addi").expect("ops are completed");
    assert_eq!(op["kind"], "function");
    let page_of_op = page.ask(json!({ "method": "documentation", "op": "addi" }));
    assert!(page_of_op.as_str().is_some_and(|text| text.contains("%lhs")), "{page_of_op}");
    let launch = page.at("iota");
    let found = page.ask(json!({ "method": "completions", "at": launch }));
    let topic = found["items"].as_array().into_iter().flatten().find_map(|item| item["topic"].as_str());
    let about = page.ask(json!({ "method": "documentation", "topic": topic.expect("words of launches have topics") }));
    assert!(about.is_string());
}

#[test]
fn codes_of_every_kind_are_explained() {
    let mut page = Page::open("");
    for code in ["E0002", "L0101", "R0107"] {
        let text = page.ask(json!({ "method": "explain", "code": code }));
        assert!(text.as_str().is_some_and(|text| text.starts_with(&format!("# {code}"))), "{code}");
    }
    assert_eq!(page.ask(json!({ "method": "explain", "code": "X1" })), Value::Null);
}

#[test]
fn launches_are_listed() {
    let mut page = Page::open(&scale("%block"));
    let found = page.ask(json!({ "method": "launches" }));
    assert_eq!(found[0]["title"], "@scale, launch, grid (2, 1, 1)");
    assert!(page.slice(&found[0]["range"]).starts_with("launch grid="));
}

#[test]
fn bytecode_becomes_text_without_errors() {
    let mut page = Page::open("");
    let bytes = include_bytes!("../../web/test/scale.tilebc");
    let decoded = page.ask(json!({ "method": "decode", "bytes": bytes.to_vec() }));
    let text = decoded["text"].as_str().expect("it is decoded");
    page = Page::open(text);
    assert_eq!(page.ask(json!({ "method": "diagnostics" })), json!([]));
    let damaged = page.try_ask(json!({ "method": "decode", "bytes": bytes[..20].to_vec() }));
    assert!(damaged.is_err());
}
