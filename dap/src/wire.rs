//! Messages of the protocol: JSON behind a header that says how long it is.

use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// No message of an editor is larger.
const MOST_BYTES: usize = 64 << 20;

/// The next message; `None` at the end.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let broken = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_string());
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(MOST_BYTES as u64).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse().map_err(|_| broken("the length of a message is no number"))?);
        }
        if line.is_empty() {
            break;
        }
    }
    let length: usize = length.ok_or_else(|| broken("a message does not say how long it is"))?;
    if length > MOST_BYTES {
        return Err(broken("a message is larger than 64 MiB"));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    serde_json::from_slice(&bytes).map(Some).map_err(|error| broken(&format!("a message is no JSON: {error}")))
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
