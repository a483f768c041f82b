//! Replays the messages of real editors, recorded by `handshakes/record.py` while their tests ran. `zed.json` was
//! written by hand from the source of Zed 1.21, because no registry provides Zed.

use crate::client;

use client::{Client, conversation};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

const EDITORS: [&str; 7] = ["vscode", "neovim-0.7", "neovim-0.10", "neovim-0.12", "helix", "emacs", "zed"];

/// The errors of requests that were cancelled, or whose document has changed.
const OUTDATED: [i64; 3] = [-32800, -32801, -32802];

/// Sends all messages of an editor, waiting for each response or not at all. Returns the methods with their responses.
async fn replay(editor: &str, waits: bool) -> Vec<(String, Result<Value, Value>)> {
    let mut client = Client::new();
    let (mut methods, mut ids) = (HashMap::new(), HashMap::new());
    let mut answers = HashMap::new();
    for message in conversation(editor) {
        let Some(method) = message["method"].as_str() else { continue }; // responses: this client sends its own
        let params = message["params"].clone();
        match &message["id"] {
            Value::Null if method == "$/cancelRequest" => {
                let id: &i64 = &ids[&params["id"].to_string()];
                client.notify(method, json!({ "id": id })).await;
            }
            Value::Null => client.notify(method, params).await,
            theirs if method == "initialize" => {
                client.request(method, params).await.expect("the server starts");
                ids.insert(theirs.to_string(), 0);
            }
            theirs => {
                let id = client.ask(method, params).await;
                ids.insert(theirs.to_string(), id);
                methods.insert(id, method.to_string());
                if waits {
                    answers.extend(client.answers(vec![id]).await);
                }
            }
        }
    }
    let open = methods.keys().copied().filter(|id| !answers.contains_key(id)).collect();
    answers.extend(client.answers(open).await);
    client.request("shutdown", Value::Null).await.expect("the server accepts");
    client.notify("exit", Value::Null).await;
    assert!(client.ended().await, "{editor}: the server ends in order");
    answers.into_iter().map(|(id, answer)| (methods[&id].clone(), answer)).collect()
}

#[tokio::test]
async fn every_request_is_answered_without_pauses_between_messages() {
    for editor in EDITORS {
        for (method, answer) in replay(editor, false).await {
            let Err(error) = answer else { continue };
            let is_outdated = error["code"].as_i64().is_some_and(|code| OUTDATED.contains(&code));
            assert!(is_outdated, "{editor}: {method}: {error}");
        }
    }
}

#[tokio::test]
async fn every_request_of_every_editor_has_an_answer() {
    let mut answered: HashSet<String> = HashSet::new();
    for editor in EDITORS {
        let all = replay(editor, true).await;
        assert!(!all.is_empty(), "{editor} sends no requests");
        for (method, answer) in all {
            let answer = answer.unwrap_or_else(|error| panic!("{editor}: {method}: {error}"));
            if !answer.is_null() {
                answered.insert(method);
            }
        }
    }
    for method in [
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/formatting",
        "textDocument/diagnostic",
        "textDocument/inlayHint",
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/codeAction",
        "workspace/diagnostic",
        "tile/launches",
    ] {
        assert!(answered.contains(method), "no editor got an answer to {method}: {answered:?}");
    }
}

#[test]
fn recordings_are_independent_of_the_machine() {
    for editor in EDITORS {
        let all = conversation(editor);
        assert!(all[0]["params"]["processId"].is_null(), "{editor}");
        let text = serde_json::to_string(&all).expect("the messages are JSON");
        for folder in ["/tmp/", "/home/", "/root/", "/Users/"] {
            assert!(!text.contains(folder), "{editor}: {folder}");
        }
    }
}
