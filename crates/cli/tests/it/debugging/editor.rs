//! An editor that talks to `tile debug-adapter`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// The time limit for a response.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The path of a program in `tests/debugging`.
pub(super) fn path(name: &str) -> String {
    format!("{}/tests/debugging/{name}.tile", env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn program() -> String {
    path("sums")
}

/// An editor with a debug adapter.
pub(super) struct Editor {
    pub(super) child: Child,
    /// `None` once the editor has disconnected.
    pub(super) to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// Received events that have not been examined.
    events: Vec<Value>,
    last: u64,
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Editor {
    pub(super) fn new() -> Editor {
        Editor::with(&[])
    }

    /// An editor that starts the adapter with these options.
    pub(super) fn with(options: &[&str]) -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tile"));
        let started = command
            .arg("debug-adapter")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = started.spawn().expect("the adapter starts");
        let (to, out) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let (send, from) = mpsc::channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            while let Some(message) = message(&mut out) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Editor { child, to, from, events: Vec::new(), last: 0 }
    }

    /// An editor with a launch that waits for its configuration.
    pub(super) fn launched(arguments: Value) -> Editor {
        let mut editor = Editor::new();
        let capabilities = editor.ask("initialize", json!({ "adapterID": "tile" }));
        assert_eq!(capabilities["supportsConfigurationDoneRequest"], true);
        editor.ask("launch", arguments);
        editor.event("initialized");
        editor
    }

    pub(super) fn send(&mut self, text: &str) {
        self.write(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    pub(super) fn write(&mut self, text: &str) {
        self.to
            .as_mut()
            .expect("the editor is connected")
            .write_all(text.as_bytes())
            .expect("the adapter reads its input");
    }

    pub(super) fn answer(&mut self, command: &str, arguments: Value) -> Value {
        self.last += 1;
        let request = json!({ "seq": self.last, "type": "request", "command": command, "arguments": arguments });
        self.send(&request.to_string());
        loop {
            let message = self.from.recv_timeout(TIMEOUT).expect("an answer");
            if message["type"] == "response" {
                assert_eq!((&message["request_seq"], &message["command"]), (&json!(self.last), &json!(command)));
                return message;
            }
            self.events.push(message);
        }
    }

    /// Sends a request that succeeds.
    pub(super) fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{answer}");
        answer["body"].clone()
    }

    /// Sends a request that fails. Returns the error message.
    pub(super) fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], false, "{answer}");
        answer["message"].as_str().expect("a reason").to_string()
    }

    /// Waits for the next event of a kind.
    pub(super) fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(found) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(found)["body"].clone();
            }
            let message = self.from.recv_timeout(TIMEOUT).expect("an event");
            self.events.push(message);
        }
    }

    pub(super) fn break_at(&mut self, lines: &[u32]) -> Vec<Value> {
        self.break_in("sums", lines.iter().map(|line| json!({ "line": line })).collect())
    }

    /// Replaces the breakpoints of a program.
    pub(super) fn break_in(&mut self, name: &str, breakpoints: Value) -> Vec<Value> {
        let arguments = json!({ "source": { "path": path(name) }, "breakpoints": breakpoints });
        self.ask("setBreakpoints", arguments)["breakpoints"].as_array().expect("a list").clone()
    }

    /// Waits until the run stops. Returns the reason, and the names and lines of the stack.
    pub(super) fn stop(&mut self) -> (String, Vec<(String, u64)>) {
        let reason = self.event("stopped")["reason"].as_str().expect("a reason").to_string();
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frames = stack["stackFrames"].as_array().expect("a list").iter();
        let frame = |frame: &Value| {
            (frame["name"].as_str().expect("a name").to_string(), frame["line"].as_u64().expect("a line"))
        };
        (reason, frames.map(frame).collect())
    }

    /// Resumes the run, and waits until it stops. Returns the reason, the op and the line.
    pub(super) fn go(&mut self, command: &str) -> (String, String, u64) {
        self.ask(command, json!({ "threadId": 1 }));
        let (reason, stack) = self.stop();
        (reason, stack[0].0.clone(), stack[0].1)
    }

    pub(super) fn inside(&mut self, reference: &Value) -> Vec<(String, String)> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        let variables = body["variables"].as_array().expect("a list").iter();
        variables.map(|variable| (text(&variable["name"]), text(&variable["value"]))).collect()
    }

    pub(super) fn scope(&mut self, name: &str) -> Vec<(String, String)> {
        let scopes = self.ask("scopes", json!({ "frameId": 1 }));
        let scopes = scopes["scopes"].as_array().expect("a list");
        let found = scopes.iter().find(|scope| scope["name"] == name).expect("the scope exists");
        self.inside(&found["variablesReference"].clone())
    }

    pub(super) fn value(&mut self, name: &str) -> String {
        self.ask("evaluate", json!({ "expression": name }))["result"].as_str().expect("a text").to_string()
    }

    /// Waits until the run stops or ends. Returns whether it stopped.
    pub(super) fn stops(&mut self) -> bool {
        loop {
            let found = self.events.iter().position(|event| event["event"] == "stopped" || event["event"] == "exited");
            if let Some(found) = found {
                return self.events.remove(found)["event"] == "stopped";
            }
            let message = self.from.recv_timeout(TIMEOUT).expect("an event");
            self.events.push(message);
        }
    }

    /// Waits until the run ends. Returns the output with its categories, and the exit status.
    pub(super) fn end(&mut self) -> (Vec<(String, String)>, u64) {
        let code = self.event("exited")["exitCode"].as_u64().expect("a number");
        self.event("terminated");
        let output = self.events.iter().filter(|event| event["event"] == "output").map(|event| &event["body"]);
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        (output.map(|body| (text(&body["category"]), text(&body["output"]))).collect(), code)
    }
}

/// The next message of an adapter.
fn message(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some((_, number)) => length = number.parse().ok()?,
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

pub(super) fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_string(), value.to_string())
}

pub(super) fn step(reason: &str, op: &str, line: u64) -> (String, String, u64) {
    (reason.to_string(), op.to_string(), line)
}
