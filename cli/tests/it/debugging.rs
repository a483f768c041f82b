//! `tile debug-adapter`: stepping through the launches of `debugging/sums.tile`.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// The time limit for a response.
const TIMEOUT: Duration = Duration::from_secs(60);

fn program() -> String {
    format!("{}/tests/debugging/sums.tile", env!("CARGO_MANIFEST_DIR"))
}

/// An editor with a debug adapter.
struct Editor {
    child: Child,
    /// `None` once the editor has disconnected.
    to: Option<ChildStdin>,
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
    fn new() -> Editor {
        Editor::with(&[])
    }

    /// An editor that starts the adapter with these options.
    fn with(options: &[&str]) -> Editor {
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
    fn launched(arguments: Value) -> Editor {
        let mut editor = Editor::new();
        let capabilities = editor.ask("initialize", json!({ "adapterID": "tile" }));
        assert_eq!(capabilities["supportsConfigurationDoneRequest"], true);
        editor.ask("launch", arguments);
        editor.event("initialized");
        editor
    }

    fn send(&mut self, text: &str) {
        self.write(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn write(&mut self, text: &str) {
        self.to
            .as_mut()
            .expect("the editor is connected")
            .write_all(text.as_bytes())
            .expect("the adapter reads its input");
    }

    fn answer(&mut self, command: &str, arguments: Value) -> Value {
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
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{answer}");
        answer["body"].clone()
    }

    /// Sends a request that fails. Returns the error message.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], false, "{answer}");
        answer["message"].as_str().expect("a reason").to_string()
    }

    /// Waits for the next event of a kind.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(found) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(found)["body"].clone();
            }
            let message = self.from.recv_timeout(TIMEOUT).expect("an event");
            self.events.push(message);
        }
    }

    fn break_at(&mut self, lines: &[u32]) -> Vec<Value> {
        let lines: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        let body = self.ask("setBreakpoints", json!({ "source": { "path": program() }, "breakpoints": lines }));
        body["breakpoints"].as_array().expect("a list").clone()
    }

    /// Waits until the run stops. Returns the reason, and the names and lines of the stack.
    fn stop(&mut self) -> (String, Vec<(String, u64)>) {
        let reason = self.event("stopped")["reason"].as_str().expect("a reason").to_string();
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frames = stack["stackFrames"].as_array().expect("a list").iter();
        let frame = |frame: &Value| {
            (frame["name"].as_str().expect("a name").to_string(), frame["line"].as_u64().expect("a line"))
        };
        (reason, frames.map(frame).collect())
    }

    /// Resumes the run, and waits until it stops. Returns the reason, the op and the line.
    fn go(&mut self, command: &str) -> (String, String, u64) {
        self.ask(command, json!({ "threadId": 1 }));
        let (reason, stack) = self.stop();
        (reason, stack[0].0.clone(), stack[0].1)
    }

    fn inside(&mut self, reference: &Value) -> Vec<(String, String)> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        let variables = body["variables"].as_array().expect("a list").iter();
        variables.map(|variable| (text(&variable["name"]), text(&variable["value"]))).collect()
    }

    fn scope(&mut self, name: &str) -> Vec<(String, String)> {
        let scopes = self.ask("scopes", json!({ "frameId": 1 }));
        let scopes = scopes["scopes"].as_array().expect("a list");
        let found = scopes.iter().find(|scope| scope["name"] == name).expect("the scope exists");
        self.inside(&found["variablesReference"].clone())
    }

    fn value(&mut self, name: &str) -> String {
        self.ask("evaluate", json!({ "expression": name }))["result"].as_str().expect("a text").to_string()
    }

    /// Waits until the run ends. Returns the output with its categories, and the exit status.
    fn end(&mut self) -> (Vec<(String, String)>, u64) {
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

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_string(), value.to_string())
}

fn step(reason: &str, op: &str, line: u64) -> (String, String, u64) {
    (reason.to_string(), op.to_string(), line)
}

#[test]
fn stepping_through_a_loop() {
    let mut editor = Editor::launched(json!({ "program": program(), "launch": "two" }));
    let reported = editor.break_at(&[16, 3]);
    assert_eq!((&reported[0]["verified"], &reported[0]["line"]), (&json!(true), &json!(16)));
    assert_eq!(reported[1]["verified"], false, "a line before the entry");
    editor.ask("configurationDone", json!({}));
    let (reason, stack) = editor.stop();
    assert_eq!(reason, "breakpoint");
    let stack: Vec<(&str, u64)> = stack.iter().map(|(name, line)| (&**name, *line)).collect();
    assert_eq!(stack, [("addi", 16), ("for, iteration 0", 14), ("@sums", 6)]);
    assert_eq!(editor.go("next"), step("step", "continue", 17));
    assert_eq!(editor.go("next"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block"), [pair("coordinates", "(0, 0, 0)"), pair("iteration, loop 1", "1")]);
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    // After the loop, in the same tile block.
    assert_eq!(editor.go("stepOut"), step("step", "print_tko", 19));
    assert_eq!(editor.value("total"), "[0, 0, 0, 0]");
    // In the next tile block.
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 16));
    assert_eq!(editor.scope("Tile block")[0], pair("coordinates", "(1, 0, 0)"));
    assert_eq!(editor.ask("threads", json!({}))["threads"][0]["name"], "tile block (1, 0, 0)");
    editor.break_at(&[]);
    assert_eq!(editor.go("stepOut"), step("step", "print_tko", 19));
    assert_eq!(editor.go("next"), step("step", "constant", 20));
    assert_eq!(editor.scope("Values")[0], pair("%total", "[3, 3, 3, 3]"), "the token of the print has no value");
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    let expected = [
        pair("stdout", "sum [0, 0, 0, 0]\n"),
        pair("stdout", "sum [3, 3, 3, 3]\n"),
        pair("console", "expectation met\n"),
    ];
    assert_eq!((output, code), (expected.to_vec(), 0));
    assert_eq!(editor.refused("continue", json!({ "threadId": 1 })), "the run has not stopped");
}

#[test]
fn values_can_be_inspected() {
    let arguments = json!({ "program": program(), "entry": "sums", "block": [1, 0, 0], "stopOnEntry": true });
    let mut editor = Editor::launched(arguments);
    editor.break_at(&[25]);
    editor.ask("configurationDone", json!({}));
    let (reason, stack) = editor.stop();
    assert_eq!((&*reason, stack[0].1), ("entry", 7));
    assert_eq!(editor.scope("Parameters"), [pair("%out", "%out[0]")]);
    assert!(editor.scope("Values").is_empty(), "nothing has been computed");
    assert_eq!(editor.go("continue"), step("breakpoint", "addi", 25));
    let values = editor.scope("Values");
    // The latest value comes first. Values in the loop are not visible here.
    assert_eq!(values[..2], [pair("%lanes", "[0, 1, 2, 3]"), pair("%firsts", "[4, 4, 4, 4]")]);
    assert!(values.iter().all(|(name, _)| name != "%next" && name != "%i"), "{values:?}");
    let lanes = editor.ask("evaluate", json!({ "expression": " %lanes ", "context": "hover" }));
    assert_eq!((&lanes["type"], &lanes["indexedVariables"]), (&json!("tile<4xi32>"), &json!(4)));
    let elements = editor.inside(&lanes["variablesReference"]);
    assert_eq!(elements, [pair("[0]", "0"), pair("[1]", "1"), pair("[2]", "2"), pair("[3]", "3")]);
    let some = json!({ "variablesReference": lanes["variablesReference"], "start": 2, "count": 1 });
    assert_eq!(editor.ask("variables", some)["variables"][0]["name"], "[2]");
    for reference in [json!(0), json!(999), json!(1_000_000), json!(u64::MAX)] {
        assert!(editor.inside(&reference).is_empty(), "nothing has the number {reference}");
    }
    let refused = editor.refused("variables", json!({ "variablesReference": "x" }));
    assert_eq!(refused, "invalid arguments of `variables`: invalid type: string \"x\", expected u64");
    let far = json!({ "variablesReference": lanes["variablesReference"], "start": u64::MAX, "count": u64::MAX });
    assert_eq!(editor.ask("variables", far)["variables"], json!([]));
    assert_eq!(editor.refused("launch", json!({ "program": program() })), "the session already debugs a launch");
    let refused = editor.answer("evaluate", json!({ "expression": "%next" }));
    assert_eq!(refused["body"]["error"]["showUser"], false, "a failed evaluation is not shown as an error");
    assert_eq!(refused["message"], "no value `%next` here; only names of values can be evaluated");
}

#[test]
fn a_failure_is_an_exception() {
    let mut editor = Editor::launched(json!({ "program": program(), "entry": "too_far" }));
    editor.ask("configurationDone", json!({}));
    let stopped = editor.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["description"]),
        (&json!("exception"), &json!("Failed in tile block (1, 0, 0)"))
    );
    let message = "this writes element 4 of `%out`, which has 4 elements of i32";
    assert_eq!(stopped["text"], format!("R0102: {message}"));
    assert_eq!(editor.ask("exceptionInfo", json!({ "threadId": 1 }))["description"], message);
    assert_eq!(editor.value("%place"), "4");
    editor.ask("continue", json!({ "threadId": 1 }));
    let (output, code) = editor.end();
    assert_eq!(code, 1);
    assert_eq!(output[0].0, "stderr");
    assert!(output[0].1.contains(message), "{output:?}");
}

#[test]
fn an_endless_run_can_be_paused_and_terminated() {
    let arguments = json!({ "program": program(), "entry": "for_ever", "sanitize": false });
    let mut editor = Editor::launched(arguments);
    editor.ask("configurationDone", json!({}));
    editor.ask("pause", json!({ "threadId": 1 }));
    let (reason, stack) = editor.stop();
    assert_eq!((&*reason, &*stack[1].0 == "@for_ever" || stack[1].0.starts_with("loop, iteration")), ("pause", true));
    editor.ask("continue", json!({ "threadId": 1 }));
    editor.ask("terminate", json!({}));
    assert_eq!(editor.end(), (Vec::new(), 0), "the termination is not reported");
    editor.ask("disconnect", json!({}));
    assert!(editor.child.wait().expect("the adapter ends").success());
}

#[test]
fn invalid_requests_are_refused() {
    let mut editor = Editor::new();
    assert_eq!(editor.refused("configurationDone", json!({})), "nothing has been launched");
    assert_eq!(editor.refused("next", json!({})), "no launch is running");
    let refused = editor.refused("launch", json!({}));
    assert_eq!(refused, "the launch configuration has no `program`");
    let refused = editor.refused("launch", json!({ "program": "none.tile" }));
    assert_eq!(refused, "file `none.tile` not found");
    let refused = editor.refused("launch", json!({ "program": program(), "launch": "too" }));
    assert!(refused.ends_with("has no launch `too`: did you mean `two`?"), "{refused}");
    let refused = editor.refused("launch", json!({ "program": program(), "block": [2] }));
    assert_eq!(refused, "`block` is [2]; the grid's tile blocks are [0, 0, 0] to [1, 0, 0]");
    // A launch without a name is chosen by its number.
    editor.ask("launch", json!({ "program": program(), "entry": "for_ever", "launch": "#2", "block": [2] }));
    let refused = editor.refused("fly", json!({}));
    assert_eq!(refused, "unsupported request `fly`");
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.tile");
    std::fs::write(&broken, "cuda_tile.module @m {\n  entry @k() {\n    oops\n  }\n}\n").expect("written");
    let refused = editor.refused("launch", json!({ "program": broken }));
    assert!(refused.starts_with(&format!("{}:3: ", broken.display())), "{refused}");
    editor.ask("launch", json!({ "program": program() }));
    let elsewhere = json!({ "source": { "path": Path::new("/elsewhere.tile") }, "breakpoints": [{ "line": 16 }] });
    assert_eq!(editor.ask("setBreakpoints", elsewhere)["breakpoints"][0]["verified"], false);
}

#[test]
fn invalid_messages_are_skipped() {
    let broken = [
        ("Content-Length: x\r\n\r\n", "a header has no valid length"),
        ("\r\n\r\n", "a header has no valid length"),
        ("Content-Length: 99999999999\r\n\r\n", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 18446744073709551615\r\n\r\n{}", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 99999999999999999999999\r\n\r\n", "a message is longer than the limit of 64 MiB"),
        ("Content-Length: 3\r\n\r\n{{{", "the message is not valid JSON"),
        ("Content-Length: 2\r\n\r\n[]", "the message is not a JSON object"),
        ("Content-Length: 0\r\n\r\n", "the message is not valid JSON"),
        ("Content-Length: 11\r\n\r\n{\"seq\":\"a\"}", "the message is not a request: invalid type"),
    ];
    let mut editor = Editor::launched(json!({ "program": program() }));
    for (text, why) in broken {
        editor.write(text);
        editor.ask("threads", json!({}));
        let output = editor.event("output")["output"].as_str().expect("a text").to_string();
        assert!(output.contains(why), "{text:?}: {output}");
    }
    editor.ask("configurationDone", json!({}));
    assert_eq!(editor.end().1, 0);
    editor.ask("disconnect", json!({}));
    assert!(editor.child.wait().expect("the adapter ends").success());
    // The adapter ends when the editor disconnects.
    let mut editor = Editor::launched(json!({ "program": program() }));
    editor.ask("configurationDone", json!({}));
    editor.to = None;
    assert!(editor.child.wait().expect("the adapter ends").success());
}

/// The same restriction applies to runs that an editor starts.
#[test]
fn only_files_in_the_opened_folder_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = folder.path().join("opened/kernels");
    std::fs::create_dir_all(&kernels).expect("a folder");
    let data = [b"\x93NUMPY\x01\0\x76\0".to_vec(), npy_header(), 1.0_f32.to_le_bytes().to_vec()].concat();
    for name in ["secret.npy", "opened/beside.npy", "opened/kernels/own.npy"] {
        std::fs::write(folder.path().join(name), &data).expect("a file");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("../../secret.npy", kernels.join("link.npy")).expect("a link");
    let opened = folder.path().join("opened").display().to_string();
    let within: &[&str] = &["--folder", &opened];
    let outside = "is outside `";
    let cases: [(&[&str], &str, Option<&str>); 8] = [
        (&[], "own.npy", None),
        (&[], "../beside.npy", Some(outside)),
        (within, "../beside.npy", None),
        (within, "../../secret.npy", Some(outside)),
        (within, "/etc/passwd", Some(outside)),
        (within, if cfg!(unix) { "link.npy" } else { "../../secret.npy" }, Some(outside)),
        (within, "none.npy", Some("not found")),
        (&["--files-outside-folder"], "../../secret.npy", None),
    ];
    for (options, file, refusal) in cases {
        let text = format!(
            "cuda_tile.module @m {{\n  //@ launch grid=(1, 1, 1)\n  //@   %p = f32[1] npy(\"{file}\")\n  \
             entry @k(%p: tile<ptr<f32>>) {{\n    return\n  }}\n}}\n"
        );
        std::fs::write(kernels.join("a.tile"), text).expect("a file");
        let mut editor = Editor::with(options);
        let answer = editor.answer("launch", json!({ "program": kernels.join("a.tile") }));
        let message = answer["message"].as_str();
        assert_eq!(answer["success"], refusal.is_none(), "{options:?} {file}: {answer}");
        assert!(refusal.is_none_or(|why| message.is_some_and(|message| message.contains(why))), "{file}: {answer}");
    }
}

/// The padded header of an array of one f32.
fn npy_header() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
    format!("{header:117}\n").into_bytes()
}

/// A program cannot be standard input, which carries the messages, nor an endless device.
#[cfg(target_os = "linux")]
#[test]
fn only_regular_files_are_debugged() {
    let mut editor = Editor::new();
    let refused = editor.refused("launch", json!({ "program": "/dev/zero" }));
    assert_eq!(refused, "cannot read `/dev/zero`: it is a device, not a regular file");
    let refused = editor.refused("launch", json!({ "program": "-" }));
    assert_eq!(refused, "file `-` not found");
}

/// The messages of one session, without sequence numbers.
#[test]
fn a_conversation() {
    let mut editor = Editor::new();
    let path = program();
    let mut all = String::new();
    let mut ask = |editor: &mut Editor, command: &str, arguments: Value| {
        let mut answer = editor.answer(command, arguments.clone());
        ["seq", "request_seq"].iter().for_each(|key| _ = answer.as_object_mut().expect("an object").remove(*key));
        all.push_str(&format!("--> {command} {arguments}\n<-- {answer:#}\n\n"));
    };
    ask(&mut editor, "initialize", json!({ "adapterID": "tile" }));
    ask(&mut editor, "launch", json!({ "program": path, "launch": "two" }));
    editor.event("initialized");
    ask(&mut editor, "setBreakpoints", json!({ "source": { "path": path }, "breakpoints": [{ "line": 16 }] }));
    ask(&mut editor, "configurationDone", json!({}));
    editor.event("stopped");
    for (command, arguments) in [
        ("threads", json!({})),
        ("stackTrace", json!({ "threadId": 1 })),
        ("scopes", json!({ "frameId": 1 })),
        ("variables", json!({ "variablesReference": 1 })),
        ("evaluate", json!({ "expression": "%sum" })),
        ("disconnect", json!({})),
    ] {
        ask(&mut editor, command, arguments);
    }
    insta::assert_snapshot!(all.replace(&path, "sums.tile"));
}
