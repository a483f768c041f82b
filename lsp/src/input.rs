//! Sanitizes the client's messages. The protocol library gives up on input that is not a header followed by a JSON-RPC
//! object of the stated length. This filter
//! - skips such messages and notes them in the log,
//! - replaces half of a surrogate pair by the replacement character, and
//! - appends the `exit` that a vanished client has not sent, so that running requests are dropped instead of awaited.

mod validate;

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll};
use tile_input::{Frame, Frames};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::oneshot;
use validate::{Valid, validate};

const EXIT: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";

/// The notification that reports a skipped message.
pub(crate) const SKIPPED: &str = "tile/skipped";

/// The largest message, in bytes.
const MAX_BYTES: usize = 512 << 20;

/// How often other tasks are polled before the session ends, so that a client that sends `shutdown` and `exit` at once
/// still receives the response to `shutdown`.
const TURNS: usize = 64;

/// Bytes read at once.
const PART: usize = 64 << 10;

/// An input that yields valid messages only.
pub(crate) struct Messages<I> {
    input: I,
    is_over: bool,
    /// Signaled when the input is to end even if there is more to read.
    left: Option<oneshot::Receiver<()>>,
    frames: Frames,
    /// Messages to hand on, and the number of their bytes already handed on.
    ready: Vec<u8>,
    handed: usize,
    /// The offset in `ready` of the message that ends the session, and how often other tasks are still polled before
    /// it.
    exit: Option<(usize, usize)>,
    /// Signaled when the message that ends the session is handed on.
    over: Option<oneshot::Sender<()>>,
}

impl<I> Messages<I> {
    pub(crate) fn new(input: I) -> Messages<I> {
        Messages {
            input,
            is_over: false,
            left: None,
            frames: Frames::new(MAX_BYTES),
            ready: Vec::new(),
            handed: 0,
            exit: None,
            over: None,
        }
    }

    /// Ends the input when `left` is signaled.
    pub(crate) fn until(self, left: Option<oneshot::Receiver<()>>) -> Messages<I> {
        Messages { left, ..self }
    }

    /// Signals `over` when the session ends.
    pub(crate) fn notifying(self, over: oneshot::Sender<()>) -> Messages<I> {
        Messages { over: Some(over), ..self }
    }

    /// Whether `left` has been signaled.
    fn has_left(&mut self, cx: &mut Context<'_>) -> bool {
        match self.left.as_mut().map(|left| Pin::new(left).poll(cx)) {
            None | Some(Poll::Pending) => false,
            Some(Poll::Ready(signal)) => {
                // If its sender is dropped it can no longer be signaled.
                self.left = None;
                signal.is_ok()
            }
        }
    }

    /// Hands on the messages that these bytes complete.
    fn take(&mut self, bytes: &[u8]) {
        let mut frames = std::mem::replace(&mut self.frames, Frames::new(MAX_BYTES));
        frames.feed(bytes);
        while let Some(frame) = frames.next_frame() {
            match frame {
                Frame::Skipped(why) => self.report_skipped(&why),
                Frame::Message(body) => match validate(body) {
                    Ok(message) => self.hand_on(&message),
                    Err(why) => self.report_skipped(&why),
                },
            }
        }
        self.frames = frames;
    }

    fn hand_on(&mut self, message: &Valid<'_>) {
        if message.exits && self.exit.is_none() {
            self.exit = Some((self.ready.len(), TURNS));
        }
        self.put(&message.text);
    }

    /// Ends the session, since the input has ended.
    fn end(&mut self) {
        self.is_over = true;
        self.hand_on(&Valid { text: EXIT.into(), exits: true });
    }

    /// The end of the bytes that can be handed on now; `None` if other tasks are to be polled first.
    fn may_hand_on(&mut self) -> Option<usize> {
        match &mut self.exit {
            Some((at, 0)) if *at == self.handed => {
                self.exit = None;
                // The receiver may be gone.
                self.over.take().map(|over| over.send(()));
                Some(self.ready.len())
            }
            Some((at, turns)) if *at == self.handed => {
                *turns -= 1;
                None
            }
            Some((at, _)) if *at > self.handed => Some(*at),
            _ => Some(self.ready.len()),
        }
    }

    fn put(&mut self, body: &str) {
        self.ready.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.ready.extend_from_slice(body.as_bytes());
    }

    fn report_skipped(&mut self, why: &str) {
        let note = serde_json::json!({ "jsonrpc": "2.0", "method": SKIPPED, "params": { "why": why } });
        self.put(&note.to_string());
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Messages<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            if self.handed < self.ready.len() {
                let Some(end) = self.may_hand_on() else {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                };
                let from = self.handed;
                let count = buf.remaining().min(end - from);
                buf.put_slice(&self.ready[from..from + count]);
                self.handed += count;
                return Poll::Ready(Ok(()));
            }
            // Drops the buffer of a long message.
            self.ready = Vec::new();
            self.handed = 0;
            if self.is_over {
                return Poll::Ready(Ok(()));
            }
            if self.has_left(cx) {
                self.end();
                continue;
            }
            // Not cleared first: that would take longer than most polls.
            let mut part = [const { MaybeUninit::uninit() }; PART];
            let mut part = ReadBuf::uninit(&mut part);
            match Pin::new(&mut self.input).poll_read(cx, &mut part) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) if !part.filled().is_empty() => {
                    self.take(part.filled());
                }
                Poll::Ready(_) => self.end(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// Returns the messages handed on from an input that arrives in parts of this many bytes.
    async fn handed_on(input: &[u8], size: usize) -> String {
        let (mut client, server) = tokio::io::duplex(size);
        let input = input.to_vec();
        let sent = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut client, &input).await.expect("the input is read");
        });
        let mut out = String::new();
        Messages::new(server).read_to_string(&mut out).await.expect("the output is UTF-8");
        sent.await.expect("all bytes are sent");
        out
    }

    #[tokio::test]
    async fn messages_are_unchanged_however_they_are_split() {
        let hello = framed("{\"jsonrpc\":\"2.0\",\"method\":\"hellö\",\"params\":{\"a\":[1,\"\\n\"]}}");
        let all = hello.clone() + &framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}") + &hello;
        for size in [1, 2, 7, 30, 1 << 20] {
            assert_eq!(handed_on(all.as_bytes(), size).await, all.clone() + &framed(EXIT));
        }
    }

    #[tokio::test]
    async fn invalid_messages_are_skipped() {
        let good = framed("{\"jsonrpc\":\"2.0\",\"method\":\"good\"}");
        let deep =
            format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{}{}}}", "[".repeat(200), "]".repeat(200));
        let deep = framed(&deep);
        let bad: [&[u8]; 21] = [
            deep.as_bytes(),
            b"Content-Length: 47\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[1e999]}",
            b"Content-Length: 52\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":1,\"params\":2}",
            b"Content-Length: 2\r\n\r\n{]",
            b"Content-Length: 2\r\n\r\n[]",
            b"Content-Length: 2\r\n\r\n\"\"",
            b"Content-Length: 2\r\n\r\n{}",
            b"Content-Length: 0\r\n\r\n",
            b"Content-Length: -1\r\n\r\n",
            b"Content-Length: 99999999999999999999999\r\n\r\n",
            b"Content-Length:\r\n\r\n",
            b"X: y\r\n\r\n",
            b"\xff\xfe\r\n\r\n",
            b"Content-Length: 14\r\n\r\n{\"jsonrpc\":\"1\"}",
            b"Content-Length: 28\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":1}",
            b"Content-Length: 41\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":[1,2]}",
            b"Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"bad\"}",
            b"Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}",
            b"Content-Length: 18446744073709551615\r\n\r\n",
            b"Content-Length: 18446744073709551615\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\"}",
            &[b'x'; 12 << 10],
        ];
        for bad in bad {
            let shown = String::from_utf8_lossy(&bad[..bad.len().min(60)]).into_owned();
            let all = [good.as_bytes(), bad, good.as_bytes()].concat();
            let out = handed_on(&all, 1 << 20).await;
            assert!(out.contains(SKIPPED), "{shown}: {out}");
            assert_eq!(out.matches("\"good\"").count(), 2, "{shown}: {out}");
        }
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_is_skipped() {
        let long = MAX_BYTES + 5;
        let mut input = format!("Content-Length: {long}\r\n\r\n").into_bytes();
        input.resize(input.len() + long, b' ');
        input.extend_from_slice(framed("{\"jsonrpc\":\"2.0\",\"method\":\"good\"}").as_bytes());
        let out = handed_on(&input, 1 << 20).await;
        assert!(out.contains("512 MiB") && out.contains("\"good\"") && out.len() < 1000, "{out}");
    }
}
