//! Checks that `docs/editor-features.md` is complete and correct, and tests features that have no test elsewhere.

use crate::client;

use client::{Client, handshake, uri_of};
use serde_json::{Value, json};
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The cells of each row of the list.
fn rows() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/editor-features.md")).expect("the list exists");
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    let rows: Vec<Vec<String>> = text.lines().filter(|line| line.starts_with('|')).map(cells).collect();
    rows[2..].to_vec()
}

#[test]
fn every_named_test_exists() {
    let mut count = 0;
    for row in rows() {
        for named in row[2].split("; ") {
            let (file, test) = named.split_once(": ").expect("a file and a test");
            let file = file.trim_matches('`');
            let text = std::fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_else(|_| panic!("no {file}"));
            assert!(text.contains(test), "{}: no test `{test}` in {file}", row[0]);
            count += 1;
        }
    }
    assert!(count > 50, "only {count} tests are named");
}

#[tokio::test]
async fn every_capability_has_a_row() {
    let (_, answer) = Client::initialized(handshake("vscode")).await;
    let announced = answer["capabilities"].as_object().expect("an object");
    let rows = rows();
    for name in announced.keys() {
        assert!(rows.iter().any(|row| row[1] == *name), "`{name}` has no row");
    }
    for row in rows.iter().filter(|row| !row[1].is_empty()) {
        assert!(announced.contains_key(&row[1]), "{}: `{}` is not announced", row[0], row[1]);
    }
}

#[tokio::test]
async fn regions_and_comments_fold() {
    let text = "// one\n// two\ncuda_tile.module @m {\n  entry @k() {\n    return\n  }\n}\n";
    let mut client = Client::plain().await;
    client.open(text).await;
    let folds = client.about("foldingRange", None, json!({})).await;
    let lines = |fold: &Value| (fold["startLine"].as_u64(), fold["endLine"].as_u64(), fold["kind"].clone());
    let all: Vec<_> = folds.as_array().expect("a list").iter().map(lines).collect();
    assert!(all.contains(&(Some(0), Some(1), json!("comment"))), "{all:?}");
    assert!(
        all.iter().any(|(start, ..)| *start == Some(2)) && all.iter().any(|(start, ..)| *start == Some(3)),
        "{all:?}"
    );
}

#[tokio::test]
async fn checking_the_workspace_reports_progress() {
    let folder = std::env::temp_dir().join(format!("tile-lsp-progress-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["a", "b"] {
        let text = format!("cuda_tile.module @{name} {{\n  entry @k() {{\n    return\n  }}\n}}\n");
        std::fs::write(folder.join(format!("{name}.tile")), text).expect("a file");
    }
    let mut params = handshake("vscode");
    params["workspaceFolders"] = json!([{ "uri": uri_of(&folder), "name": "test" }]);
    let (mut client, _) = Client::initialized(params).await;
    let ask = json!({ "previousResultIds": [], "workDoneToken": "w" });
    let report = client.request("workspace/diagnostic", ask).await.expect("an answer");
    assert_eq!(report["items"].as_array().map(Vec::len), Some(2));
    let begun = client.notification("$/progress").await;
    assert_eq!((&begun["token"], &begun["value"]["kind"]), (&json!("w"), &json!("begin")));
    assert_eq!(begun["value"]["title"], "Checking the workspace");
    let mut last = client.notification("$/progress").await;
    while last["value"]["kind"] != "end" {
        last = client.notification("$/progress").await;
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
