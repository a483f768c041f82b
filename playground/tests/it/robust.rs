//! Requests that no page sends.

use crate::support::{Page, scale};
use serde_json::json;

#[test]
fn anything_but_a_request_is_an_error() {
    let mut page = Page::open("");
    for request in
        ["", "{", "[]", "{}", r#"{"method":"unknown"}"#, r#"{"method":"hover"}"#, r#"{"method":"hover","at":-1}"#]
    {
        assert!(page.raw(request).is_err_and(|message| message.starts_with("not a request: ")), "{request}");
    }
    assert!(page.try_ask(json!({ "method": "restoreRun", "run": "→" })).is_err());
    assert!(page.try_ask(json!({ "method": "restoreRun", "run": "abc" })).is_err());
}

#[test]
fn positions_anywhere_are_answered() {
    let mut page = Page::open(&scale("%block"));
    let end = page.text.encode_utf16().count();
    for at in (0..end + 3).step_by(7).chain([end, usize::MAX >> 33]) {
        for method in ["hover", "completions", "definition", "graph", "accesses"] {
            let _ = page.try_ask(json!({ "method": method, "at": at }));
        }
        for method in ["tokens", "inlays", "refactorings"] {
            page.ask(json!({ "method": method, "range": [at, at + 5] }));
        }
    }
}
