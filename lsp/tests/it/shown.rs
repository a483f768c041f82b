//! A snapshot of the answers to an editor that supports everything.
//!
//! `INSTA_UPDATE=always cargo test -p tile-lsp --test it shown` updates it.

use crate::client::{Client, URI, handshake};
use serde_json::{Value, json};

const TEXT: &str = "cuda_tile.module @m {
  // Adds one.
  entry @add(%n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %sum = addi %n, %one : tile<i32>
    %half = divi %sum, %two signed : tile<i32>
  }
}
";

#[tokio::test]
async fn a_conversation() {
    let mut params = handshake("vscode");
    for kind in ["publishDiagnostics", "diagnostic"] {
        // The pages of diagnostics are in the user's home directory.
        params["capabilities"]["textDocument"][kind]["codeDescriptionSupport"] = false.into();
    }
    let (mut client, _) = Client::initialized(params).await;
    client.open(TEXT).await;
    let document = json!({ "uri": URI });
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } });
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 8, "character": 0 } });
    let mut all = String::new();
    for (method, params) in [
        ("textDocument/diagnostic", json!({ "textDocument": document })),
        ("textDocument/hover", at(4, 20)),
        ("textDocument/hover", at(4, 12)),
        ("textDocument/definition", at(4, 21)),
        ("textDocument/documentHighlight", at(3, 6)),
        ("textDocument/signatureHelp", at(4, 20)),
        ("textDocument/prepareRename", at(3, 6)),
        ("textDocument/documentSymbol", json!({ "textDocument": document })),
        ("textDocument/foldingRange", json!({ "textDocument": document })),
        ("textDocument/inlayHint", json!({ "textDocument": document, "range": whole })),
        ("textDocument/semanticTokens/full", json!({ "textDocument": document })),
        ("textDocument/codeLens", json!({ "textDocument": document })),
    ] {
        let mut answer = client.request(method, params.clone()).await.unwrap_or_else(|error| error);
        answer.as_object_mut().map(|answer| answer.remove("resultId"));
        if let Some(lenses) = answer.as_array_mut().filter(|_| method == "textDocument/codeLens") {
            // These lenses appear only if NVIDIA's tools are installed.
            let of_compiler = ["tile.showPtx", "tile.showSass", "tile.remarks"];
            lenses.retain(|lens| !of_compiler.iter().any(|name| lens["command"]["command"] == *name));
        }
        all.push_str(&format!("--> {method} {params}\n<-- {answer:#}\n\n"));
    }
    let _: Value = client.request("shutdown", Value::Null).await.expect("the server accepts");
    insta::assert_snapshot!(all.replace(URI, "file:///test/a.tile"));
}
