//! Random messages of a client.

use crate::text::Text;
use fastrand::Rng;
use serde_json::{Value, json};

/// Requests about a document with their parameters. `at` stands for a position and `in` for a range.
const REQUESTS: [(&str, &str); 44] = [
    ("textDocument/hover", r#"{"at": 0}"#),
    ("textDocument/completion", r#"{"at": 0}"#),
    ("textDocument/completion", r#"{"at": 0, "context": {"triggerKind": 2, "triggerCharacter": "%"}}"#),
    ("textDocument/completion", r#"{"at": 0, "context": {"triggerKind": 3}}"#),
    ("textDocument/signatureHelp", r#"{"at": 0}"#),
    ("textDocument/definition", r#"{"at": 0}"#),
    ("textDocument/declaration", r#"{"at": 0}"#),
    ("textDocument/typeDefinition", r#"{"at": 0}"#),
    ("textDocument/implementation", r#"{"at": 0}"#),
    ("textDocument/references", r#"{"at": 0, "context": {"includeDeclaration": false}}"#),
    ("textDocument/documentHighlight", r#"{"at": 0}"#),
    ("textDocument/prepareRename", r#"{"at": 0}"#),
    ("textDocument/rename", r#"{"at": 0, "newName": "%new"}"#),
    ("textDocument/rename", r#"{"at": 0, "newName": ""}"#),
    ("textDocument/rename", r#"{"at": 0, "newName": "a b\n\u0000"}"#),
    ("textDocument/linkedEditingRange", r#"{"at": 0}"#),
    ("textDocument/inlineCompletion", r#"{"at": 0, "context": {"triggerKind": 2}}"#),
    ("textDocument/codeAction", r#"{"in": 0, "context": {"diagnostics": []}}"#),
    ("textDocument/codeAction", r#"{"in": 0, "context": {"diagnostics": [], "only": ["source.fixAll"]}}"#),
    ("textDocument/codeAction", r#"{"in": 0, "context": {"diagnostics": [], "only": ["refactor", "no.such"]}}"#),
    ("textDocument/formatting", r#"{"options": {"tabSize": 2, "insertSpaces": true}}"#),
    ("textDocument/formatting", r#"{"options": {"tabSize": 4294967295, "insertSpaces": false}}"#),
    ("textDocument/rangeFormatting", r#"{"in": 0, "options": {"tabSize": 0, "insertSpaces": true}}"#),
    ("textDocument/onTypeFormatting", r#"{"at": 0, "ch": "\n", "options": {"tabSize": 2, "insertSpaces": true}}"#),
    ("textDocument/onTypeFormatting", r#"{"at": 0, "ch": "}", "options": {"tabSize": 2, "insertSpaces": true}}"#),
    ("textDocument/documentSymbol", "{}"),
    ("textDocument/foldingRange", "{}"),
    ("textDocument/codeLens", "{}"),
    ("textDocument/documentLink", "{}"),
    ("textDocument/documentColor", "{}"),
    ("textDocument/inlayHint", r#"{"in": 0}"#),
    ("textDocument/semanticTokens/full", "{}"),
    ("textDocument/semanticTokens/full/delta", r#"{"previousResultId": "1"}"#),
    ("textDocument/semanticTokens/range", r#"{"in": 0}"#),
    (
        "textDocument/selectionRange",
        r#"{"positions": [{"line": 3, "character": 4}, {"line": 99999999, "character": 0}]}"#,
    ),
    (
        "textDocument/inlineValue",
        r#"{"in": 0, "context": {"frameId": 1, "stoppedLocation": {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 1}}}}"#,
    ),
    ("textDocument/diagnostic", "{}"),
    ("textDocument/diagnostic", r#"{"previousResultId": "0000000000000000"}"#),
    ("tile/launches", "{}"),
    ("tile/graph", r#"{"at": 0}"#),
    ("tile/accesses", r#"{"at": 0}"#),
    ("workspace/symbol", r#"{"query": "k"}"#),
    ("workspace/symbol", r#"{"query": "\ud834\udd1e%"}"#),
    ("workspace/diagnostic", r#"{"previousResultIds": []}"#),
];

/// Requests that fail, or have no document.
const OTHER_REQUESTS: [(&str, &str); 16] = [
    ("textDocument/hover", "{}"),
    ("textDocument/hover", r#"{"textDocument": {"uri": 3}, "position": {"line": 0, "character": 0}}"#),
    ("textDocument/hover", r#"{"textDocument": {"uri": "file:///no/such"}, "position": {"line": 0, "character": 0}}"#),
    ("textDocument/hover", r#"{"textDocument": {"uri": ":"}, "position": {"line": -1, "character": 1e99}}"#),
    ("textDocument/completion", "[]"),
    ("textDocument/semanticTokens/full", "null"),
    ("completionItem/resolve", r#"{"label": "addf"}"#),
    ("completionItem/resolve", r#"{"label": "addf", "data": {"uri": 7}}"#),
    ("inlayHint/resolve", r#"{"position": {"line": 1, "character": 1}, "label": "x", "data": []}"#),
    ("workspace/executeCommand", r#"{"command": "tile.nothing", "arguments": []}"#),
    ("workspace/executeCommand", r#"{"command": "tile.run", "arguments": [7]}"#),
    ("workspace/executeCommand", r#"{"command": "tile.copyBytecode", "arguments": [{"uri": "file:///test/1.tile"}]}"#),
    ("workspace/executeCommand", r#"{"command": "tile.addLaunch", "arguments": [{"uri": "file:///test/2.tile"}]}"#),
    ("initialize", r#"{"capabilities": {}}"#),
    ("no/such/method", r#"{"a": [1, 2, {"b": null}]}"#),
    ("$/no/such", "{}"),
];

/// Notifications, responses and invalid messages. They do not change any text.
const ODD: [&str; 18] = [
    r#"{"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "verbose"}}"#,
    r#"{"jsonrpc": "2.0", "method": "$/unknown"}"#,
    r#"{"jsonrpc": "2.0", "method": "no/such/notification", "params": [1]}"#,
    r#"{"jsonrpc": "2.0", "method": "textDocument/didSave", "params": {"textDocument": {"uri": "file:///test/1.tile"}}}"#,
    r#"{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///test/1.tile"}}}"#,
    r#"{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"contentChanges": 1}}"#,
    r#"{"jsonrpc": "2.0", "method": "textDocument/didClose", "params": null}"#,
    r#"{"jsonrpc": "2.0", "method": "window/workDoneProgress/cancel", "params": {"token": "unknown"}}"#,
    r#"{"jsonrpc": "2.0", "method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "file:///test/tile.toml", "type": 2}]}}"#,
    r#"{"jsonrpc": "2.0", "method": "workspace/didChangeWorkspaceFolders", "params": {"event": {"added": [{"uri": "file:///no/such", "name": "n"}], "removed": []}}}"#,
    r#"{"jsonrpc": "2.0", "id": "unknown", "result": {"a": 1}}"#,
    r#"{"jsonrpc": "2.0", "id": 123456789, "error": {"code": 1, "message": "no"}}"#,
    r#"{"jsonrpc": "1.0", "id": [], "method": "m"}"#,
    r#"{"jsonrpc": "2.0", "method": "m", "params": [1e999]}"#,
    r#"[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]"#,
    r#"{"jsonrpc": "2.0", "id":"#,
    "",
    "\u{0}\u{feff}nonsense",
];

/// A random position, sometimes outside of the text.
pub(crate) fn position(text: Option<&Text>, random: &mut Rng) -> [u32; 2] {
    match (text, random.usize(..12)) {
        (_, 0) => [random.u32(..), random.u32(..)],
        (_, 1) => [random.u32(..300), random.u32(..300)],
        (Some(text), _) => text.position(text.place(random)),
        (None, _) => [3, 4],
    }
}

fn at([line, character]: [u32; 2]) -> Value {
    json!({ "line": line, "character": character })
}

/// A range as the protocol represents it.
pub(crate) fn range(start: [u32; 2], end: [u32; 2]) -> Value {
    json!({ "start": at(start), "end": at(end) })
}

/// A random request: its method and parameters. `text` is the text of the document if it is open.
pub(crate) fn request(uri: &str, text: Option<&Text>, random: &mut Rng) -> (&'static str, Value) {
    let parse = |params: &str| serde_json::from_str::<Value>(params).expect("the parameters are JSON");
    if random.usize(..10) == 0 {
        let (method, params) = OTHER_REQUESTS[random.usize(..OTHER_REQUESTS.len())];
        return (method, parse(params));
    }
    let (method, params) = REQUESTS[random.usize(..REQUESTS.len())];
    let mut params = parse(params);
    let fields = params.as_object_mut().expect("an object");
    if fields.remove("at").is_some() {
        fields.insert("position".to_string(), at(position(text, random)));
    }
    if fields.remove("in").is_some() {
        fields.insert("range".to_string(), range(position(text, random), position(text, random)));
    }
    fields.insert("textDocument".to_string(), json!({ "uri": uri }));
    (method, params)
}

/// A message as it is, which can be invalid.
pub(crate) fn odd(random: &mut Rng) -> String {
    let body = ODD[random.usize(..ODD.len())];
    match random.usize(..8) {
        0 => format!("Content-Length: x{}\r\n\r\n", body.len()),
        1 => format!("content-type: application/vscode-jsonrpc\r\nCONTENT-LENGTH: {}\r\n\r\n{body}", body.len()),
        _ => format!("Content-Length: {}\r\n\r\n{body}", body.len()),
    }
}

/// Random settings. Each one states all members, because missing ones keep their value.
pub(crate) fn settings(random: &mut Rng) -> Value {
    let mut flag = || random.bool();
    let hints = json!({
        "types": flag(), "indexSpaces": flag(), "tripCounts": flag(), "parameters": flag(),
        "runs": flag(), "liveTiles": flag(),
    });
    let lenses = json!({ "run": flag(), "profile": flag(), "bytecode": flag(), "listings": flag() });
    let version = random.choice(["13.1", "13.2", "13.3"]).expect("not empty");
    let gpu = random.choice(["", "sm_90", "sm_100"]).expect("not empty");
    json!({ "check": { "targetVersion": version, "gpu": gpu }, "inlayHints": hints, "codeLens": lenses })
}
