//! Documents with thousands of findings, such as compilers write.

use crate::client::Client;
use serde_json::{Value, json};

/// A program with unused results, or with uses of an old name of an op, one on each line from line 3 on.
fn flood(op: &str, lines: usize) -> String {
    let ops: String = (0..lines).map(|index| format!("    %v{index} = {op} %x, %x : tile<f32>\n")).collect();
    format!("cuda_tile.module @m {{\n  entry @k(%x: tile<f32>) {{\n    // Ops.\n{ops}  }}\n}}\n")
}

fn codes(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|found| found["code"].as_str()).collect()
}

fn line(found: &Value) -> u64 {
    found["range"]["start"]["line"].as_u64().expect("a line")
}

#[tokio::test]
async fn a_hundred_findings_of_a_lint_are_shown_and_then_their_number() {
    let mut client = Client::plain().await;
    client.open(&flood("addf", 1300)).await;
    let found = client.diagnostics(1).await;
    assert_eq!(codes(&found), ["L0015"; 101]);
    assert_eq!(
        found[100]["message"],
        "1,200 more findings of L0015 (unused-result) in this file\nonly the first 100 are shown"
    );
    assert_eq!((line(&found[99]), line(&found[100])), (102, 103));
    // The first op is used now, so the next one counts.
    client.edit(2, [4, 15, 4, 17], "%v0").await;
    let found = client.diagnostics(2).await;
    assert_eq!((found.len(), line(&found[0])), (101, 3), "the second op uses the first one, but is not used itself");
    assert!(found[0]["message"].as_str().is_some_and(|message| message.contains("only by unused ops")), "{}", found[0]);
}

#[tokio::test]
async fn errors_are_all_shown() {
    let mut client = Client::plain().await;
    client.open(&flood("addg", 250)).await;
    assert_eq!(client.diagnostics(1).await.len(), 250);
}

#[tokio::test]
async fn findings_that_are_not_shown_have_their_fixes() {
    let mut client = Client::plain().await;
    client.open(&flood("pow", 300)).await;
    let found = client.diagnostics(1).await;
    let of_names = |found: &&Value| found["code"] == "L0006";
    assert_eq!(found.iter().filter(of_names).count(), 101);
    let start = json!({ "line": 290, "character": 14 });
    let context = json!({ "range": { "start": start, "end": start }, "context": { "diagnostics": [] } });
    let actions = client.about("codeAction", None, context).await;
    let titles: Vec<&str> = actions.as_array().expect("a list").iter().filter_map(|it| it["title"].as_str()).collect();
    assert!(titles.contains(&"Write `fpowf`"), "{titles:?}");
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let context = json!({ "range": whole, "context": { "diagnostics": [], "only": ["source.fixAll"] } });
    let actions = client.about("codeAction", None, context).await;
    let edits = actions[0]["edit"]["changes"].as_object().expect("an edit").values().next().expect("of the document");
    assert_eq!(edits.as_array().map(Vec::len), Some(300), "all are fixed");
}
