//! Messages of the protocol: JSON behind a header that says how long it is.

use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use tile_input::{Frame, Frames};

/// The most bytes of one message.
const MAX_BYTES: usize = 64 << 20;

/// The messages of an editor.
pub(crate) struct Input<I> {
    from: I,
    frames: Frames,
}

/// Input from an editor.
pub(crate) enum Received {
    Message(Value),
    /// Input was skipped for this reason.
    LeftOut(String),
}

impl<I: BufRead> Input<I> {
    pub(crate) fn new(from: I) -> Input<I> {
        Input { from, frames: Frames::new(MAX_BYTES) }
    }

    /// The next message; `None` at the end of the input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Received>> {
        loop {
            if let Some(frame) = self.frames.next_frame() {
                return Ok(Some(received(&frame)));
            }
            let bytes = match self.from.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                return Ok(None);
            }
            let count = bytes.len();
            self.frames.feed(bytes);
            self.from.consume(count);
        }
    }
}

fn received(frame: &Frame<'_>) -> Received {
    match frame {
        Frame::LeftOut(why) => Received::LeftOut(why.to_string()),
        Frame::Message(body) => match serde_json::from_slice::<Value>(body) {
            Ok(message) if message.is_object() => Received::Message(message),
            Ok(_) => Received::LeftOut("a message is not a JSON object".to_string()),
            Err(error) => Received::LeftOut(format!("a message is not valid JSON: {error}")),
        },
    }
}

/// Where the editor listens, for several threads.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Stream>>);

struct Stream {
    to: Box<dyn Write + Send>,
    /// The number of the last message.
    last: u64,
}

impl Output {
    pub(crate) fn new(to: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Stream { to: Box::new(to), last: 0 })))
    }

    /// Sends a message, which gets its number.
    fn send(&self, mut message: Value) -> io::Result<()> {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stream.last += 1;
        message["seq"] = stream.last.into();
        let text = message.to_string();
        write!(stream.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        stream.to.flush()
    }

    /// Tells of something.
    pub(crate) fn event(&self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Reports that malformed input was skipped.
    pub(crate) fn left_out(&self, why: &str) -> io::Result<()> {
        self.event("output", json!({ "category": "console", "output": format!("left out a message: {why}\n") }))
    }

    /// Answers a request. Why one fails that a person has made is shown to them; others come from looking around.
    pub(crate) fn answer(&self, request: &Value, answer: Result<Value, String>) -> io::Result<()> {
        let mut message = json!({ "type": "response", "request_seq": request["seq"], "command": request["command"] });
        message["success"] = answer.is_ok().into();
        match answer {
            Ok(body) => message["body"] = body,
            Err(why) => {
                let is_shown = matches!(request["command"].as_str(), Some("launch" | "attach" | "configurationDone"));
                // In the text of an error braces stand for variables.
                message["body"] = json!({ "error": {
                    "id": 1, "format": "{why}", "variables": { "why": why }, "showUser": is_shown
                }});
                message["message"] = why.into();
            }
        }
        self.send(message)
    }
}
