//! A client that types, deletes, pastes and undoes at random in every example. Periodically, all answers of the server
//! are compared with those of a new server on the same text.
//!
//! `TILE_RANDOM_EDITS=100000` sets the number of edits, `TILE_RANDOM_SEED` the seed.

use crate::client;
use crate::text::{Text, examples};
use fastrand::Rng;

use client::{Client, URI};
use serde_json::{Value, json};

/// The default number of edits.
const EDITS: usize = 2500;

/// The number of edits between two comparisons.
const BETWEEN: usize = 25;

/// The answers to all requests about the text, at some offsets.
pub(crate) async fn all_answers(client: &mut Client, uri: &str, text: &Text, places: &[usize]) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } });
    for (method, more) in [
        ("documentSymbol", json!({})),
        ("foldingRange", json!({})),
        ("codeLens", json!({})),
        ("inlayHint", json!({ "range": whole })),
        ("semanticTokens/full", json!({})),
        ("formatting", json!({ "options": { "tabSize": 2, "insertSpaces": true } })),
        ("codeAction", json!({ "range": whole, "context": { "diagnostics": [] } })),
    ] {
        let mut answer = client.about_document(uri, method, None, more).await;
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("resultId");
        }
        all.push((method.to_string(), answer));
    }
    for &at in places {
        let [line, column] = text.position(at);
        for method in ["hover", "definition", "documentHighlight", "completion"] {
            let answer = client.about_document(uri, method, Some((line, column)), json!({})).await;
            all.push((format!("{method} {line}:{column}"), answer));
        }
        let context = json!({ "context": { "includeDeclaration": true } });
        let answer = client.about_document(uri, "references", Some((line, column)), context).await;
        all.push((format!("references {line}:{column}"), answer));
    }
    all
}

/// A client that shows everything a diagnostic can have, but no data, which contains the version of the text.
async fn connected() -> Client {
    let diagnostics = json!({ "relatedInformation": true, "tagSupport": { "valueSet": [1, 2] } });
    Client::initialized(json!({ "capabilities": { "textDocument": { "publishDiagnostics": diagnostics } } })).await.0
}

async fn fresh(text: &str) -> Client {
    let mut client = connected().await;
    client.open(text).await;
    client
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[tokio::test]
async fn after_random_edits_all_answers_equal_those_of_a_new_server() {
    let files = examples();
    assert!(files.len() > 20, "{files:?}");
    let edits = number("TILE_RANDOM_EDITS", EDITS).div_ceil(files.len());
    let mut random = Rng::with_seed(number("TILE_RANDOM_SEED", 1) as u64);
    let mut client = connected().await;
    for (index, file) in files.iter().enumerate() {
        let mut original = std::fs::read_to_string(file).expect("the example is UTF-8");
        if index % 4 == 1 {
            original = original.replace('\n', "\r\n");
        }
        let mut text = Text::new(original);
        client.open(&text.now).await;
        client.diagnostics(1).await;
        for edit in 1..=edits {
            let change = text.change(&mut random);
            let ([a, b], [c, d]) = (text.position(change.0), text.position(change.1));
            let version = 1 + edit as i64;
            client.edit(version, [a, b, c, d], &change.2).await;
            text.apply(&change);
            if random.usize(..3) == 0 {
                // More likely than not, the next edit makes this request outdated.
                let position = json!({ "line": a, "character": b });
                client.ask("textDocument/hover", json!({ "textDocument": { "uri": URI }, "position": position })).await;
            }
            if edit % BETWEEN == 0 || edit == edits {
                let places: Vec<usize> = (0..4).map(|_| text.place(&mut random)).collect();
                let mut other = fresh(&text.now).await;
                let shown = || format!("{} after {edit} edits:\n{:?}", file.display(), text.now);
                assert_eq!(client.diagnostics(version).await, other.diagnostics(1).await, "{}", shown());
                let (here, there) = (
                    all_answers(&mut client, URI, &text, &places).await,
                    all_answers(&mut other, URI, &text, &places).await,
                );
                for (here, there) in here.into_iter().zip(there) {
                    assert_eq!(here, there, "{}", shown());
                }
            }
        }
        let params = json!({ "textDocument": { "uri": URI } });
        client.notify("textDocument/didClose", params).await;
    }
}
