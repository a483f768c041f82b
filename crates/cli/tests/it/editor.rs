//! A client of `tile lsp`, which starts the server as an editor does.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub(crate) const URI: &str = "file:///test/a.tile";

/// A client. Dropping it kills its server.
pub(crate) struct Client {
    pub(crate) server: Child,
    /// `None` once closed.
    pub(crate) input: Option<ChildStdin>,
    /// `None` once closed.
    pub(crate) output: Option<BufReader<ChildStdout>>,
    next_id: i64,
    /// Received messages that are not responses.
    pub(crate) messages: Vec<Value>,
}

impl Client {
    /// Starts the server with this command and sends `initialize` with these parameters.
    pub(crate) fn initialized(command: &mut Command, params: Value) -> Client {
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the server starts");
        let (input, output) = (server.stdin.take(), server.stdout.take().map(BufReader::new));
        let mut client = Client { server, input, output, next_id: 1, messages: Vec::new() };
        client.request("initialize", params).expect("the server initializes");
        client.notify("initialized", json!({}));
        client
    }

    /// Starts the server with these initialization options.
    pub(crate) fn started(command: &mut Command, options: Value) -> Client {
        Client::initialized(command, json!({ "capabilities": {}, "initializationOptions": options }))
    }

    /// A client that has opened a text.
    pub(crate) fn with(text: &str) -> Client {
        // Tests examine only the hints of runs.
        let off = json!({ "types": false, "indexSpaces": false, "tripCounts": false, "parameters": false });
        let options = json!({ "inlayHints": off });
        let mut client = Client::started(&mut Command::new(env!("CARGO_BIN_EXE_tile")), options);
        client.open(text);
        client
    }

    pub(crate) fn open(&mut self, text: &str) {
        self.open_at(URI, text);
    }

    pub(crate) fn open_at(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "tile", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, change: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// Executes a command.
    pub(crate) fn execute(&mut self, command: &str, argument: Value) -> Result<Value, Value> {
        self.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the stream is open").write_all(bytes).expect("the server reads its input");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn receive(&mut self) -> Value {
        let output = self.output.as_mut().expect("the stream is open");
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).expect("the server answers") > 0, "the server has ended");
            if line == "\r\n" {
                break;
            }
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        output.read_exact(&mut body).expect("the server answers");
        serde_json::from_slice(&body).expect("the message is JSON")
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params }));
        self.next_id
    }

    pub(crate) fn answer(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message.get("error").map_or_else(|| Ok(message["result"].clone()), |error| Err(error.clone()));
            }
            self.messages.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Waits for the first message that matches, and removes it. Returns its parameters.
    pub(crate) fn wait_for(&mut self, matches: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(index) = self.messages.iter().position(&matches) {
                return self.messages.remove(index)["params"].clone();
            }
            let message = self.receive();
            self.messages.push(message);
        }
    }

    /// Waits for the first request of the server of a kind, and removes it.
    pub(crate) fn asked(&mut self, method: &str) -> Value {
        loop {
            if let Some(index) = self.messages.iter().position(|message| message["method"] == method) {
                return self.messages.remove(index);
            }
            let message = self.receive();
            self.messages.push(message);
        }
    }

    /// Waits for the first notification of a kind. Returns its parameters.
    #[cfg(unix)]
    pub(crate) fn notified(&mut self, method: &str) -> Value {
        let matches = |message: &Value| message["method"] == method;
        while !self.messages.iter().any(matches) {
            let message = self.receive();
            self.messages.push(message);
        }
        self.messages.iter().find(|message| matches(message)).expect("the message has arrived")["params"].clone()
    }

    pub(crate) fn start_run(&mut self) -> i64 {
        let target = json!({ "uri": URI, "entry": "k", "launch": null });
        self.ask("workspace/executeCommand", json!({ "command": "tile.run", "arguments": [target] }))
    }

    pub(crate) fn run(&mut self) -> Value {
        let id = self.start_run();
        self.answer(id).expect("the run succeeds")
    }

    /// The output of runs on a stream so far.
    pub(crate) fn written(&self, stream: &str) -> String {
        let outputs = self.messages.iter().filter(|message| message["method"] == "tile/runOutput");
        let params = outputs.map(|message| &message["params"]).filter(|params| params["stream"] == stream);
        params.map(|params| params["text"].as_str().expect("text")).collect()
    }

    /// The hints of the document: line and label.
    pub(crate) fn hints(&mut self) -> Vec<(u64, String)> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({ "textDocument": { "uri": URI }, "range": range });
        let hints = self.request("textDocument/inlayHint", params).expect("hints");
        let one = |hint: &Value| {
            let line = hint["position"]["line"].as_u64().expect("a line");
            (line, hint["label"].as_str().expect("a label").to_string())
        };
        hints.as_array().expect("a list").iter().map(one).collect()
    }

    /// The hover at the first occurrence of a text in a line; empty if there is none.
    pub(crate) fn hover_text(&mut self, document: &str, text: &str) -> String {
        let (line, column) =
            document.lines().enumerate().find_map(|(number, line)| Some((number, line.find(text)?))).expect(text);
        let position = json!({ "line": line, "character": column + 1 });
        let params = json!({ "textDocument": { "uri": URI }, "position": position });
        let hover = self.request("textDocument/hover", params).expect("a hover");
        hover["contents"]["value"].as_str().unwrap_or_default().to_string()
    }

    /// Waits for the diagnostics of a run: line and message. They are not part of the response, and can arrive after
    /// it.
    pub(crate) fn found(&mut self) -> Vec<(u64, String)> {
        for _ in 0..6000 {
            self.hints();
            let found = self.found_in(1);
            if !found.is_empty() {
                return found;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        Vec::new()
    }

    /// The diagnostics of runs that were last published for a version of the text.
    pub(crate) fn found_in(&mut self, version: i64) -> Vec<(u64, String)> {
        let matches = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        };
        while !self.messages.iter().any(matches) {
            let message = self.receive();
            self.messages.push(message);
        }
        let published = self.messages.iter().rfind(|message| matches(message)).expect("the message has arrived");
        let all = published["params"]["diagnostics"].as_array().expect("a list").iter();
        let of_runs = all.filter(|each| each["source"] == "tile run");
        of_runs
            .map(|each| {
                let line = each["range"]["start"]["line"].as_u64().expect("a line");
                (line, each["message"].as_str().expect("a message").to_string())
            })
            .collect()
    }

    pub(crate) fn edit(&mut self, version: i64, line: u32, text: &str) {
        let position = json!({ "line": line, "character": 0 });
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": version },
                "contentChanges": [{ "range": { "start": position, "end": position }, "text": text }],
            }),
        );
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server may already have ended.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
