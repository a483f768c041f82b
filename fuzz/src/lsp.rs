//! Sessions with a language server in this process.

use crate::session::{boundary, split};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;
use tile_input::{Frame, Frames};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime::{Builder, Runtime};

/// Examples of the messages below a program: an edit, a request with its parameters, or `raw` and any text. `at` is a
/// position, `from` and `to` are a range, all as offsets.
pub const MESSAGES: [&str; 45] = [
    r#"edit {"from": 10, "to": 10, "text": "%a"}"#,
    r#"edit {"from": 10, "to": 20, "text": ""}"#,
    r#"edit {"from": 100, "to": 100, "text": "\n"}"#,
    r#"edit {"from": 100, "to": 120, "text": "}"}"#,
    r#"edit {"from": 50, "to": 50, "text": "entry @new() {\n  }\n"}"#,
    r#"edit {"from": 0, "to": 0, "text": "!t = tile<f32>\n"}"#,
    r#"edit {"from": 0, "to": 30, "text": "𝄞\r\n"}"#,
    r#"edit {"from": 40, "to": 41, "text": "//@ launch\n"}"#,
    r#"textDocument/hover {"at": 1}"#,
    r#"textDocument/hover {"at": 100}"#,
    r#"textDocument/completion {"at": 100}"#,
    r#"textDocument/completion {"at": 200}"#,
    r#"textDocument/definition {"at": 150}"#,
    r#"textDocument/references {"at": 100, "context": {"includeDeclaration": true}}"#,
    r#"textDocument/documentHighlight {"at": 100}"#,
    r#"textDocument/signatureHelp {"at": 120}"#,
    r#"textDocument/prepareRename {"at": 100}"#,
    r#"textDocument/rename {"at": 100, "newName": "%new"}"#,
    r#"textDocument/codeAction {"from": 0, "to": 1000, "context": {"diagnostics": []}}"#,
    r#"textDocument/codeAction {"from": 100, "to": 110, "context": {"diagnostics": [], "only": ["refactor"]}}"#,
    r#"textDocument/formatting {"options": {"tabSize": 2, "insertSpaces": true}}"#,
    r#"textDocument/rangeFormatting {"from": 20, "to": 90, "options": {"tabSize": 2, "insertSpaces": true}}"#,
    r#"textDocument/onTypeFormatting {"at": 100, "ch": "\n", "options": {"tabSize": 2, "insertSpaces": true}}"#,
    r#"textDocument/documentSymbol {}"#,
    r#"textDocument/foldingRange {}"#,
    r#"textDocument/codeLens {}"#,
    r#"textDocument/documentLink {}"#,
    r#"textDocument/inlayHint {"from": 0, "to": 1000}"#,
    r#"textDocument/semanticTokens/full {}"#,
    r#"textDocument/semanticTokens/range {"from": 10, "to": 300}"#,
    r#"textDocument/selectionRange {"positions": [{"line": 3, "character": 4}]}"#,
    r#"textDocument/inlineCompletion {"at": 100, "context": {"triggerKind": 1}}"#,
    r#"textDocument/inlineValue {"from": 0, "to": 500, "context": {"frameId": 1, "stoppedLocation": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}}}"#,
    r#"textDocument/diagnostic {}"#,
    r#"workspace/symbol {"query": "k"}"#,
    r#"tile/launches {}"#,
    r#"tile/graph {"at": 100}"#,
    r#"tile/accesses {"at": 100}"#,
    r#"tile/view {"at": 100}"#,
    r#"textDocument/hover {"position": {"line": 4294967295, "character": 7}}"#,
    r#"raw {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {}}"#,
    r#"raw {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 3}}"#,
    r#"raw {"jsonrpc": "1.0", "id": []}"#,
    r#"raw []"#,
    r#"reopen {}"#,
];

/// The most messages of a session.
const MAX_MESSAGES: usize = 30;

/// How long to wait for a message of the server.
const TIMEOUT: Duration = Duration::from_secs(20);

const URI: &str = "file:///fuzz/a.tile";

/// Methods that raw messages must not have, because they would change the text or end the session.
const RESERVED: [&str; 6] = ["initialize", "initialized", "shutdown", "exit", "textDocument/did", "workspace/"];

/// A client of a new server.
struct Client {
    input: DuplexStream,
    output: DuplexStream,
    frames: Frames,
    next_id: i64,
    /// The answers, by the number of the request.
    answers: HashMap<i64, Value>,
    /// The last diagnostics of each version of the document.
    diagnostics: HashMap<i64, Value>,
    server: tokio::task::JoinHandle<bool>,
}

/// The numbers of our requests start here, so that raw messages rarely have the same.
const FIRST_ID: i64 = 1_000_000;

impl Client {
    async fn start(text: &str) -> Client {
        let (input, server_input) = tokio::io::duplex(1 << 22);
        let (server_output, output) = tokio::io::duplex(1 << 22);
        let server = tokio::spawn(tile_lsp::serve(server_input, server_output));
        let frames = Frames::new(1 << 26);
        let (answers, diagnostics) = (HashMap::new(), HashMap::new());
        let mut client = Client { input, output, frames, next_id: FIRST_ID, answers, diagnostics, server };
        let id = client.ask("initialize", json!({ "capabilities": {} })).await;
        client.answer(id).await;
        client.notify("initialized", json!({})).await;
        client.open(text, 1).await;
        client
    }

    async fn open(&mut self, text: &str, version: i64) {
        let document = json!({ "uri": URI, "languageId": "tile", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    async fn send(&mut self, body: &str) {
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.input.write_all(message.as_bytes()).await.expect("the server reads its input");
    }

    async fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()).await;
    }

    async fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()).await;
        id
    }

    /// Reads messages of the server until a condition holds.
    async fn read_until(&mut self, what: &str, is_met: impl Fn(&Client) -> bool) {
        while !is_met(self) {
            let mut bytes = vec![0; 1 << 16];
            let read = tokio::time::timeout(TIMEOUT, self.output.read(&mut bytes)).await;
            let count = read.unwrap_or_else(|_| panic!("no {what}")).expect("the server writes its output");
            assert!(count > 0, "the server ended before {what}");
            self.frames.feed(&bytes[..count]);
            let mut messages = Vec::new();
            while let Some(frame) = self.frames.next_frame() {
                let Frame::Message(body) = frame else { panic!("{frame:?}") };
                messages.push(serde_json::from_slice::<Value>(body).expect("a message is JSON"));
            }
            for message in messages {
                self.receive(message).await;
            }
        }
    }

    async fn receive(&mut self, message: Value) {
        match (message["method"].as_str(), message["id"].as_i64()) {
            (Some("textDocument/publishDiagnostics"), _) => {
                let params = &message["params"];
                let version = params["version"].as_i64().unwrap_or(-1);
                if params["uri"] == URI {
                    self.diagnostics.insert(version, params["diagnostics"].clone());
                }
            }
            (Some(_), Some(id)) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }).to_string()).await,
            (None, Some(id)) if id >= FIRST_ID => {
                assert!(id < self.next_id, "an answer to no request: {message}");
                assert!(!self.answers.contains_key(&id), "a second answer: {message}");
                self.answers.insert(id, message);
            }
            _ => {}
        }
    }

    async fn answer(&mut self, id: i64) -> Value {
        self.read_until("answer", |client| client.answers.contains_key(&id)).await;
        self.answers[&id].clone()
    }

    /// The diagnostics of a version of the document.
    async fn diagnostics(&mut self, version: i64) -> Value {
        self.read_until("diagnostics", |client| client.diagnostics.contains_key(&version)).await;
        self.diagnostics[&version].clone()
    }

    /// Leaves in order.
    async fn leave(mut self) {
        let id = self.ask("shutdown", Value::Null).await;
        self.answer(id).await;
        self.notify("exit", Value::Null).await;
        let ended = tokio::time::timeout(TIMEOUT, self.server).await.expect("the server ends");
        assert!(ended.expect("the server does not panic"), "the server was left in order");
    }
}

/// The position of an offset, in lines and UTF-16 code units.
fn position(text: &str, at: usize) -> Value {
    let (mut line, mut start) = (0, 0);
    let bytes = text.as_bytes();
    for (index, &byte) in bytes[..at].iter().enumerate() {
        if byte == b'\n' || byte == b'\r' && bytes.get(index + 1) != Some(&b'\n') {
            (line, start) = (line + 1, index + 1);
        }
    }
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// An offset between two characters, but not inside a line break.
fn place(text: &str, at: &Value) -> usize {
    let at = boundary(text, at.as_u64().unwrap_or(0) as usize);
    if text[..at].ends_with('\r') && text[at..].starts_with('\n') { at - 1 } else { at }
}

fn range(text: &str, from: usize, to: usize) -> Value {
    json!({ "start": position(text, from), "end": position(text, to) })
}

/// The parameters of a request: offsets become positions.
fn params(text: &str, mut given: Map<String, Value>) -> Value {
    if let Some(at) = given.remove("at") {
        given.insert("position".to_string(), position(text, place(text, &at)));
    }
    if let (Some(from), Some(to)) = (given.remove("from"), given.remove("to")) {
        let from = place(text, &from);
        given.insert("range".to_string(), range(text, from, place(text, &to).max(from)));
    }
    given.insert("textDocument".to_string(), json!({ "uri": URI }));
    Value::Object(given)
}

fn is_reserved(body: &str) -> bool {
    let Ok(message) = serde_json::from_str::<Value>(body) else { return false };
    message["method"].as_str().is_some_and(|method| RESERVED.iter().any(|reserved| method.starts_with(reserved)))
}

async fn session(input: &str) {
    let (text, messages) = split(input);
    let (mut text, mut version) = (text.to_string(), 1);
    let mut client = Client::start(&text).await;
    let mut asked = Vec::new();
    for line in messages.take(MAX_MESSAGES) {
        let (method, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let given = match serde_json::from_str(arguments) {
            Ok(Value::Object(given)) if method != "raw" => given,
            _ => {
                if !is_reserved(arguments) {
                    client.send(arguments).await;
                }
                continue;
            }
        };
        match method {
            "edit" => {
                let from = place(&text, &given.get("from").cloned().unwrap_or_default());
                let to = place(&text, &given.get("to").cloned().unwrap_or_default()).max(from);
                let new = given.get("text").and_then(Value::as_str).unwrap_or("");
                version += 1;
                let change = json!({ "range": range(&text, from, to), "text": new });
                let document = json!({ "uri": URI, "version": version });
                let params = json!({ "textDocument": document, "contentChanges": [change] });
                client.notify("textDocument/didChange", params).await;
                text.replace_range(from..to, new);
            }
            "reopen" => {
                version += 1;
                client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } })).await;
                client.open(&text, version).await;
            }
            _ if RESERVED[..5].iter().any(|reserved| method.starts_with(reserved)) => {}
            _ if method.starts_with("workspace/") && method != "workspace/symbol" => {}
            _ => asked.push(client.ask(method, params(&text, given)).await),
        }
    }
    for id in asked {
        client.answer(id).await;
    }
    let found = client.diagnostics(version).await;
    client.leave().await;
    let mut other = Client::start(&text).await;
    assert_eq!(found, other.diagnostics(1).await, "of\n{text}");
    other.leave().await;
}

/// Runs a session about a program.
pub fn run_session(input: &str) {
    thread_local! {
        static RUNTIME: RefCell<Runtime> =
            RefCell::new(Builder::new_current_thread().enable_all().build().expect("the runtime starts"));
    }
    RUNTIME.with_borrow_mut(|runtime| runtime.block_on(session(input)));
}
