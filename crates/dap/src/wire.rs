//! Transport of messages: JSON after a header with its length.

use crate::protocol::{OutputEvent, Request};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tile_input::{Frame, Frames};

/// The largest message, in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Bytes that may be unread by the editor before the kernel has to wait.
const MAX_UNREAD: usize = 1 << 20;

/// How long an editor that has left may take to read the remaining output.
const FLUSH_GRACE: Duration = Duration::from_secs(3);

/// The messages of an editor.
pub(crate) struct Input<I> {
    from: I,
    frames: Frames,
}

/// Input from an editor.
pub(crate) enum Received {
    Message(Request),
    /// Input was skipped for this reason.
    Skipped(String),
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
        Frame::Skipped(why) => Received::Skipped(why.to_string()),
        Frame::Message(body) => match serde_json::from_slice::<Value>(body) {
            Ok(message) if message.is_object() => match serde_json::from_value(message) {
                Ok(request) => Received::Message(request),
                Err(error) => Received::Skipped(format!("the message is not a request: {error}")),
            },
            Ok(_) => Received::Skipped("the message is not a JSON object".to_string()),
            Err(error) => Received::Skipped(format!("the message is not valid JSON: {error}")),
        },
    }
}

/// The output to the editor, shared by several threads. A separate thread writes, so that an editor which does not read
/// blocks none of the others.
#[derive(Clone)]
pub(crate) struct Output(Arc<Queue>);

struct Queue {
    state: Mutex<State>,
    /// Notified when something is queued or written.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Vec<u8>>,
    /// The bytes queued and those being written.
    bytes: usize,
    /// The sequence number of the last message.
    last: u64,
    /// Whether writing has failed for good.
    is_lost: bool,
    /// Whether nothing more is sent, so that the thread which writes can end.
    is_complete: bool,
}

impl Output {
    pub(crate) fn new(to: impl Write + Send + 'static) -> Output {
        let queue = Arc::new(Queue { state: Mutex::default(), changed: Condvar::new() });
        let written = queue.clone();
        thread::spawn(move || written.write_to(to));
        Output(queue)
    }

    /// Queues a message with the next sequence number.
    fn send(&self, mut message: Value) -> io::Result<()> {
        let mut state = self.0.lock();
        if state.is_lost || state.is_complete {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.last += 1;
        message["seq"] = state.last.into();
        let text = message.to_string();
        let bytes = format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes();
        state.bytes += bytes.len();
        state.waiting.push_back(bytes);
        self.0.changed.notify_all();
        Ok(())
    }

    /// Waits until the editor has read most of what was sent, or has left. A printing kernel waits here.
    pub(crate) fn wait_for_room(&self) {
        let is_full = |state: &mut State| state.bytes > MAX_UNREAD && !state.is_lost && !state.is_complete;
        drop(self.0.changed.wait_while(self.0.lock(), is_full));
    }

    /// Ends the output, and waits, for a short time, until everything is written.
    pub(crate) fn finish(&self) {
        self.0.lock().is_complete = true;
        self.0.changed.notify_all();
        let is_left = |state: &mut State| state.bytes > 0 && !state.is_lost;
        drop(self.0.changed.wait_timeout_while(self.0.lock(), FLUSH_GRACE, is_left));
    }

    /// Sends an event.
    pub(crate) fn event(&self, event: &str, body: impl Serialize) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Reports that malformed input was skipped.
    pub(crate) fn report_skipped(&self, why: &str) -> io::Result<()> {
        let output = format!("skipped invalid input: {why}\n");
        self.event("output", OutputEvent { category: "console", output, source: None, line: None, column: None })
    }

    /// Answers a request. Errors of requests that the user started are shown to the user.
    pub(crate) fn answer(&self, request: i64, command: &str, answer: Result<Value, String>) -> io::Result<()> {
        let mut message = json!({ "type": "response", "request_seq": request, "command": command });
        message["success"] = answer.is_ok().into();
        match answer {
            Ok(body) => message["body"] = body,
            Err(why) => {
                let is_shown = matches!(command, "launch" | "attach" | "configurationDone");
                // Braces in the format of an error stand for variables.
                message["body"] = json!({ "error": {
                    "id": 1, "format": "{why}", "variables": { "why": why }, "showUser": is_shown
                }});
                message["message"] = why.into();
            }
        }
        self.send(message)
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the queue until the output is complete, or writing fails.
    fn write_to(&self, mut to: impl Write) {
        loop {
            let is_idle = |state: &mut State| state.waiting.is_empty() && !state.is_complete;
            let waited = self.changed.wait_while(self.lock(), is_idle);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            let Some(message) = state.waiting.pop_front() else { return };
            drop(state);
            let written = to.write_all(&message).and_then(|()| to.flush());
            let mut state = self.lock();
            state.bytes -= message.len();
            state.is_lost = written.is_err();
            self.changed.notify_all();
            if state.is_lost {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// An editor that receives what is written.
    struct Editor(mpsc::Sender<Vec<u8>>);

    impl Write for Editor {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The editor is dropped when the thread that writes to it ends, so the channel is closed.
    #[test]
    fn the_writing_thread_ends_with_the_session() {
        let (editor, received) = mpsc::channel();
        let output = Output::new(Editor(editor));
        output.event("initialized", Value::Null).expect("the output is open");
        output.finish();
        let written: Vec<u8> = received.iter().flatten().collect();
        assert!(String::from_utf8_lossy(&written).contains("initialized"));
        assert!(output.event("terminated", Value::Null).is_err());
    }
}
