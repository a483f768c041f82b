//! An in-memory client for tests.

use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::task::JoinHandle;
use tower_lsp::ls_types::Uri;

/// The time limit of each wait, counted in steps: if the machine is suspended during a step, only that step is lost.
const LIMIT: usize = 60;
const STEP: Duration = Duration::from_secs(1);

/// Waits with a time limit.
async fn in_time<T>(action: &str, waited_for: impl Future<Output = T>) -> T {
    tokio::pin!(waited_for);
    for _ in 0..LIMIT {
        if let Ok(done) = tokio::time::timeout(STEP, &mut waited_for).await {
            return done;
        }
    }
    panic!("timed out while {action}");
}

pub(crate) struct Client {
    input: DuplexStream,
    output: BufReader<DuplexStream>,
    server: JoinHandle<bool>,
    next_id: i64,
    /// Notifications that no test has waited for yet.
    waiting: VecDeque<Value>,
    /// Requests of the server that no test has waited for yet. They have been answered.
    questions: VecDeque<Value>,
    /// The answer to the server's request for the settings.
    pub(crate) settings: Value,
}

pub(crate) const URI: &str = if cfg!(windows) { "file:///C%3A/test/a.tile" } else { "file:///test/a.tile" };

/// The URI of a file.
pub(crate) fn uri_of(path: &Path) -> String {
    Uri::from_file_path(path).expect("the path is absolute").to_string()
}

/// The file of a URI.
pub(crate) fn path_of(uri: &str) -> PathBuf {
    uri.parse::<Uri>().expect("a URI").to_file_path().expect("the URI of a file").into_owned()
}

/// The first messages that an editor sends to the server, as recorded.
pub(crate) fn conversation(editor: &str) -> Vec<Value> {
    let path = format!("{}/tests/handshakes/{editor}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the conversation was recorded");
    serde_json::from_str(&text).expect("the recording is a list")
}

/// The parameters of an editor's `initialize`.
pub(crate) fn handshake(editor: &str) -> Value {
    conversation(editor)[0]["params"].take()
}

impl Client {
    /// A client whose server runs but is not initialized.
    pub(crate) fn new() -> Client {
        Client::with_pipes(1 << 20)
    }

    /// A client whose pipes have this capacity, in bytes.
    pub(crate) fn with_pipes(bytes: usize) -> Client {
        let (input, server_input) = tokio::io::duplex(bytes);
        let (server_output, output) = tokio::io::duplex(bytes);
        let server = tokio::spawn(tile_lsp::serve(server_input, server_output));
        Client {
            input,
            output: BufReader::new(output),
            server,
            next_id: 1,
            waiting: VecDeque::new(),
            questions: VecDeque::new(),
            settings: Value::Null,
        }
    }

    /// A client initialized with these parameters, and the response.
    pub(crate) async fn initialized(params: Value) -> (Client, Value) {
        let mut client = Client::new();
        let answer = client.request("initialize", params).await.expect("the server starts");
        client.notify("initialized", json!({})).await;
        (client, answer)
    }

    /// A client without capabilities.
    pub(crate) async fn plain() -> Client {
        Client::initialized(json!({ "capabilities": {} })).await.0
    }

    /// Writes a message without reading anything.
    pub(crate) async fn send(&mut self, message: Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
    }

    /// Writes bytes, which need not be a message.
    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        in_time("writing to the server", self.input.write_all(bytes)).await.expect("the server reads its input");
    }

    /// Returns the notifications that no test has waited for yet, and drops the requests of the server.
    pub(crate) fn take_notifications(&mut self) -> VecDeque<Value> {
        self.questions.clear();
        std::mem::take(&mut self.waiting)
    }

    async fn receive(&mut self) -> Value {
        let read = async {
            let mut length = 0;
            loop {
                let mut line = String::new();
                let count = self.output.read_line(&mut line).await.expect("the server writes to its output");
                assert!(count > 0, "the server has ended");
                if line == "\r\n" {
                    break;
                }
                if let Some(number) = line.strip_prefix("Content-Length: ") {
                    length = number.trim().parse().expect("a length");
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body).await.expect("the server writes to its output");
            serde_json::from_slice(&body).expect("the message is JSON")
        };
        in_time("waiting for a message", read).await
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Sends a request and returns its ID.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(message).await;
        id
    }

    /// Waits for the response to a request: its result or its error.
    pub(crate) async fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.receive().await;
            match (&message["method"], &message["id"]) {
                (Value::Null, found) if *found == id => {
                    return match message.get("error") {
                        Some(error) => Err(error.clone()),
                        None => Ok(message["result"].clone()),
                    };
                }
                (Value::String(_), Value::Null) => self.waiting.push_back(message),
                (Value::String(_), _) => self.reply(message).await,
                _ => {}
            }
        }
    }

    /// Waits for the responses to requests, in any order.
    pub(crate) async fn answers(&mut self, mut open: Vec<i64>) -> HashMap<i64, Result<Value, Value>> {
        let mut answers = HashMap::new();
        while !open.is_empty() {
            let message = self.receive().await;
            match (&message["method"], message["id"].as_i64()) {
                (Value::Null, Some(id)) => {
                    open.retain(|other| *other != id);
                    let answer = message.get("error").map_or_else(|| Ok(message["result"].clone()), |e| Err(e.clone()));
                    assert!(answers.insert(id, answer).is_none(), "two answers: {message}");
                }
                (Value::String(_), None) if message["id"].is_null() => self.waiting.push_back(message),
                (Value::String(_), _) => self.reply(message).await,
                _ => {}
            }
        }
        answers
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    /// The result of a request about the test document, at a position if one is given.
    pub(crate) async fn about(&mut self, method: &str, position: Option<(u32, u32)>, more: Value) -> Value {
        self.about_document(URI, method, position, more).await
    }

    /// The result of a request about a document, at a position if one is given.
    pub(crate) async fn about_document(
        &mut self,
        uri: &str,
        method: &str,
        position: Option<(u32, u32)>,
        more: Value,
    ) -> Value {
        let mut params = json!({ "textDocument": { "uri": uri } });
        if let Some((line, character)) = position {
            params["position"] = json!({ "line": line, "character": character });
        }
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.request(&format!("textDocument/{method}"), params).await.expect(method)
    }

    /// Waits for the next notification of a method and returns its parameters.
    pub(crate) async fn notification(&mut self, method: &str) -> Value {
        if let Some(index) = self.waiting.iter().position(|message| message["method"] == method) {
            return self.waiting.remove(index).expect("the index was found")["params"].clone();
        }
        loop {
            let message = self.receive().await;
            if !message["id"].is_null() && !message["method"].is_null() {
                self.reply(message).await;
                continue;
            }
            if message["method"] == method {
                return message["params"].clone();
            }
            self.waiting.push_back(message);
        }
    }

    /// Answers a request of the server.
    async fn reply(&mut self, question: Value) {
        let is_settings = question["method"] == "workspace/configuration";
        let result = if is_settings { json!([self.settings]) } else { Value::Null };
        self.send(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })).await;
        self.questions.push_back(question);
    }

    /// Waits for the next request of a method from the server and returns its parameters.
    pub(crate) async fn server_request(&mut self, method: &str) -> Value {
        loop {
            if let Some(index) = self.questions.iter().position(|question| question["method"] == method) {
                return self.questions.remove(index).expect("the index was found")["params"].clone();
            }
            let message = self.receive().await;
            match (&message["method"], &message["id"]) {
                (Value::String(_), Value::Null) => self.waiting.push_back(message),
                (Value::String(_), _) => self.reply(message).await,
                _ => {}
            }
        }
    }

    /// Whether no notification of this method has arrived yet.
    pub(crate) fn has_no_notification(&self, method: &str) -> bool {
        self.waiting.iter().all(|message| message["method"] != method)
    }

    /// Whether no request of this method has arrived yet.
    pub(crate) fn has_no_server_request(&self, method: &str) -> bool {
        self.questions.iter().all(|message| message["method"] != method)
    }

    /// The diagnostics of a version of the test document.
    pub(crate) async fn diagnostics(&mut self, version: i64) -> Vec<Value> {
        self.diagnostics_of(URI, version).await
    }

    /// The diagnostics of a version of a document.
    pub(crate) async fn diagnostics_of(&mut self, uri: &str, version: i64) -> Vec<Value> {
        loop {
            let reported = self.notification("textDocument/publishDiagnostics").await;
            if reported["uri"] == uri && reported["version"] == version {
                return reported["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    pub(crate) async fn open(&mut self, text: &str) {
        let document = json!({ "uri": URI, "languageId": "tile", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    /// Replaces the text between two positions.
    pub(crate) async fn edit(&mut self, version: i64, [a, b, c, d]: [u32; 4], text: &str) {
        let range = json!({ "start": { "line": a, "character": b }, "end": { "line": c, "character": d } });
        let params = json!({
            "textDocument": { "uri": URI, "version": version },
            "contentChanges": [{ "range": range, "text": text }],
        });
        self.notify("textDocument/didChange", params).await;
    }

    /// Closes the input, which ends the server. Returns whether it was left in order.
    pub(crate) async fn leave(mut self) -> bool {
        self.input.shutdown().await.expect("the server reads its input");
        in_time("waiting for the server to end", self.server).await.expect("the server does not panic")
    }

    /// Waits for the server to end while its input stays open.
    pub(crate) async fn ended(self) -> bool {
        in_time("waiting for the server to end", self.server).await.expect("the server does not panic")
    }
}
