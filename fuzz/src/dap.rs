//! Sessions with the debug adapter in this process. Its worker is this program, as a separate process.

use crate::program::jobs;
use crate::session::split;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tile_dap::{Prepared, serve};
use tile_input::{Frame, Frames};

/// Examples of the messages below a program: a command and its arguments, or `raw` and any text.
pub const MESSAGES: [&str; 39] = [
    r#"initialize {"adapterID": "tile"}"#,
    r#"launch {"program": "a.tile", "stopOnEntry": true}"#,
    r#"setBreakpoints {"source": {"path": "a.tile"}, "breakpoints": [{"line": 3}, {"line": 5, "condition": "%x[0] > 1"}]}"#,
    r#"configurationDone {}"#,
    r#"threads {}"#,
    r#"stackTrace {"threadId": 1}"#,
    r#"scopes {"frameId": 1}"#,
    r#"variables {"variablesReference": 1}"#,
    r#"variables {"variablesReference": 2}"#,
    r#"next {"threadId": 1}"#,
    r#"stepIn {"threadId": 1}"#,
    r#"evaluate {"expression": "%a + 1", "context": "watch"}"#,
    r#"variables {"variablesReference": 3, "start": 0, "count": 2}"#,
    r#"stepOut {"threadId": 1}"#,
    r#"evaluate {"expression": "%x", "context": "hover"}"#,
    r#"stepBack {"threadId": 1}"#,
    r#"reverseContinue {"threadId": 1}"#,
    r#"continue {"threadId": 1}"#,
    r#"launch {"program": "a.tile"}"#,
    r#"launch {"program": "a.tile", "block": [1, 0, 0], "sanitize": false, "stopOnEntry": true}"#,
    r#"configurationDone {}"#,
    r#"goToBlock {"block": [1, 0, 0]}"#,
    r#"evaluate {"expression": "block 0 0 0", "context": "repl"}"#,
    r#"evaluate {"expression": "break %x[0]", "context": "repl"}"#,
    r#"completions {"text": "%a", "column": 2}"#,
    r#"exceptionInfo {"threadId": 1}"#,
    r#"dataBreakpointInfo {"name": "%x"}"#,
    r#"dataBreakpointInfo {"variablesReference": 2, "name": "[0]"}"#,
    r#"setDataBreakpoints {"breakpoints": [{"dataId": "%x[0:2]", "condition": "", "hitCondition": ">= 2"}]}"#,
    r#"setBreakpoints {"source": {"path": "a.tile"}, "breakpoints": [{"line": 4, "logMessage": "{%a} is {sum(%x)}"}]}"#,
    r#"setBreakpoints {"source": {"path": "a.tile"}, "breakpoints": [{"line": 6, "hitCondition": "% 2"}]}"#,
    r#"setExceptionBreakpoints {"filters": []}"#,
    r#"pause {"threadId": 1}"#,
    r#"attach {}"#,
    r#"terminate {}"#,
    r#"raw {"type": "request", "command": 1}"#,
    r#"raw {"type": "event", "seq": 1}"#,
    r#"raw []"#,
    r#"unknown {"a": 1}"#,
];

/// The most messages of a session.
const MAX_MESSAGES: usize = 30;

/// How long to wait for an answer, or for a run to stop. A run has a time limit of its own, which is shorter.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Commands after which a run continues, if they succeed.
const CONTINUES: [&str; 8] =
    ["configurationDone", "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "goToBlock"];

/// What the adapter has sent.
#[derive(Default)]
struct State {
    /// The answers, by the number of the request.
    answers: BTreeMap<i64, Vec<Value>>,
    /// The number of times that a run has stopped.
    stops: usize,
    /// Whether a run has ended.
    has_ended: bool,
    /// The texts of the `output` events.
    output: Vec<String>,
}

/// The output of the adapter, and what it means.
#[derive(Clone)]
struct Editor(Arc<(Mutex<State>, Condvar)>);

impl Editor {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a condition holds.
    fn wait(&self, what: &str, is_met: impl Fn(&State) -> bool) {
        let waited = self.0.1.wait_timeout_while(self.state(), TIMEOUT, |state| !is_met(state));
        let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        assert!(!timeout.timed_out(), "no {what}; output: {:?}", state.output);
    }

    fn receive(&self, message: Value) {
        let mut state = self.state();
        match (&message["type"], &message["event"]) {
            (Value::String(kind), _) if kind == "response" => {
                let request = message["request_seq"].as_i64().expect("an answer has the number of its request");
                state.answers.entry(request).or_default().push(message);
            }
            (_, Value::String(event)) => match &event[..] {
                "stopped" => state.stops += 1,
                "terminated" => state.has_ended = true,
                "output" => state.output.push(message["body"]["output"].as_str().unwrap_or_default().to_string()),
                _ => {}
            },
            _ => panic!("neither an answer nor an event: {message}"),
        }
        self.0.1.notify_all();
    }
}

/// Splits the output of the adapter into messages.
struct Output(Editor, Frames);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.feed(bytes);
        while let Some(frame) = self.1.next_frame() {
            let Frame::Message(body) = frame else { panic!("{frame:?}") };
            self.0.receive(serde_json::from_slice(body).expect("a message is JSON"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The messages of the editor. Before a message, it waits for the effect of the previous one.
struct Input<'s> {
    editor: Editor,
    messages: Box<dyn Iterator<Item = (i64, &'s str)> + 's>,
    /// The request whose effect was not waited for yet, its command, and the number of stops before it.
    sent: Option<(i64, String, usize)>,
    buffer: Vec<u8>,
    at: usize,
}

impl Input<'_> {
    fn settle(&mut self) {
        let Some((number, command, stops)) = self.sent.take() else { return };
        let has_answer = |state: &State| state.answers.contains_key(&number);
        self.editor.wait(&format!("answer to `{command}`"), has_answer);
        let succeeded = self.editor.state().answers[&number][0]["success"] == true;
        if succeeded && CONTINUES.contains(&&*command) {
            let settled = |state: &State| state.stops > stops || state.has_ended;
            self.editor.wait(&format!("stop after `{command}`"), settled);
        }
    }

    /// The next message with its header.
    fn message(&mut self) -> Option<String> {
        let (number, line) = self.messages.next()?;
        let (command, arguments) = line.split_once(' ').unwrap_or((line, "{}"));
        let body = match (command, serde_json::from_str::<Value>(arguments)) {
            ("raw", _) | (_, Err(_)) => arguments.to_string(),
            (_, Ok(arguments)) => {
                let stops = self.editor.state().stops;
                self.sent = Some((number, command.to_string(), stops));
                json!({ "type": "request", "seq": number, "command": command, "arguments": arguments }).to_string()
            }
        };
        Some(format!("Content-Length: {}\r\n\r\n{body}", body.len()))
    }
}

impl Read for Input<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(to)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.settle();
            self.buffer = self.message().unwrap_or_default().into_bytes();
            self.at = 0;
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

/// Runs a session that debugs the first launch of a program.
pub fn run_session(input: &str) {
    let (text, messages) = split(input);
    let prepared = jobs(text).into_iter().next();
    let editor = Editor(Arc::default());
    let messages = messages.take(MAX_MESSAGES).filter(|line| !line.starts_with("disconnect"));
    let input = Input {
        editor: editor.clone(),
        messages: Box::new((1..).zip(messages)),
        sent: None,
        buffer: Vec::new(),
        at: 0,
    };
    let prepare = |_: &_| match &prepared {
        Some((job, entry)) => Ok(Prepared { job: job.clone(), entry: entry.clone() }),
        None => Err("there is no launch".to_string()),
    };
    serve(input, Output(editor.clone(), Frames::new(1 << 26)), &prepare).expect("the connection is open");
    let state = editor.state();
    // Several raw messages can lack a number, which then counts as 0.
    for (number, answers) in state.answers.iter().filter(|(number, _)| **number != 0) {
        assert_eq!(answers.len(), 1, "answers to {number}: {answers:?}");
    }
    let crash = state.output.iter().find(|text| text.contains("worker process ended"));
    assert!(crash.is_none(), "{crash:?}");
}
