//! Validates the client's messages, so that the framework behind it only sees complete, valid ones.
//!
//! The framework reads a header, that many bytes and a JSON object, and gives up on anything else. Here, other messages
//! are skipped and logged; unpaired surrogates become the replacement character; and at the end of the input an `exit`
//! is added if the client has vanished without sending one, so that running requests are dropped, not waited for.

mod validate;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tile_input::{Frame, Frames};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::oneshot;
use validate::{Mended, mended};

const EXIT: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";

/// The notification that reports a skipped message.
pub(crate) const LEFT_OUT: &str = "tile/leftOut";

/// The maximum size of a message in bytes.
const MAX_BYTES: usize = 512 << 20;

/// How often other tasks run before the session ends, so that a client that sends `shutdown` and `exit` at once still
/// receives the answer to `shutdown`.
const TURNS: usize = 64;

/// The size of one read in bytes.
const PART: usize = 64 << 10;

/// A readable stream of validated messages.
pub(crate) struct Messages<I> {
    input: I,
    is_over: bool,
    /// Ends the input, even if there is more to read.
    left: Option<oneshot::Receiver<()>>,
    frames: Frames,
    /// The validated bytes, and how many of them have been read.
    ready: Vec<u8>,
    handed: usize,
    /// The position of the message that ends the session, and how often other tasks still run before it.
    exit: Option<(usize, usize)>,
    /// Notified when the message that ends the session has been read.
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

    /// Ends the input when `over` fires.
    pub(crate) fn until(self, left: Option<oneshot::Receiver<()>>) -> Messages<I> {
        Messages { left, ..self }
    }

    /// Notifies `over` when the session ends.
    pub(crate) fn telling(self, over: oneshot::Sender<()>) -> Messages<I> {
        Messages { over: Some(over), ..self }
    }

    /// Whether the input was ended from outside.
    fn has_left(&mut self, cx: &mut Context<'_>) -> bool {
        match self.left.as_mut().map(|left| Pin::new(left).poll(cx)) {
            None | Some(Poll::Pending) => false,
            Some(Poll::Ready(word)) => {
                // The sender is gone, so nothing can end the input.
                self.left = None;
                word.is_ok()
            }
        }
    }

    /// Validates the messages that these bytes complete.
    fn take(&mut self, bytes: &[u8]) {
        let mut frames = std::mem::replace(&mut self.frames, Frames::new(MAX_BYTES));
        frames.feed(bytes);
        while let Some(frame) = frames.next_frame() {
            match frame {
                Frame::LeftOut(why) => self.complain(&why),
                Frame::Message(body) => match mended(body) {
                    Ok(message) => self.hand_on(&message),
                    Err(why) => self.complain(&why),
                },
            }
        }
        self.frames = frames;
    }

    fn hand_on(&mut self, message: &Mended<'_>) {
        if message.exits && self.exit.is_none() {
            self.exit = Some((self.ready.len(), TURNS));
        }
        self.put(&message.text);
    }

    /// Handles the end of the input, which ends the session.
    fn end(&mut self) {
        self.is_over = true;
        self.hand_on(&Mended { text: EXIT.into(), exits: true });
    }

    /// The end of the readable bytes; `None` if other tasks have to run first.
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

    fn complain(&mut self, why: &str) {
        let note = serde_json::json!({ "jsonrpc": "2.0", "method": LEFT_OUT, "params": { "why": why } });
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
            // Frees the buffer of a long message.
            self.ready = Vec::new();
            self.handed = 0;
            if self.is_over {
                return Poll::Ready(Ok(()));
            }
            if self.has_left(cx) {
                self.end();
                continue;
            }
            let mut part = [0; PART];
            let mut part = ReadBuf::new(&mut part);
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

    /// The validated messages of an input that arrives in parts of this many bytes.
    async fn handed_on(input: &[u8], size: usize) -> String {
        let (mut client, server) = tokio::io::duplex(size);
        let input = input.to_vec();
        let sent = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut client, &input).await.expect("it is read");
        });
        let mut out = String::new();
        Messages::new(server).read_to_string(&mut out).await.expect("it is text");
        sent.await.expect("all was sent");
        out
    }

    #[tokio::test]
    async fn messages_come_as_they_were_sent_in_whatever_parts() {
        let hello = framed("{\"jsonrpc\":\"2.0\",\"method\":\"hellö\",\"params\":{\"a\":[1,\"\\n\"]}}");
        let all = hello.clone() + &framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}") + &hello;
        for size in [1, 2, 7, 30, 1 << 20] {
            assert_eq!(handed_on(all.as_bytes(), size).await, all.clone() + &framed(EXIT));
        }
    }

    #[tokio::test]
    async fn what_is_no_message_is_left_out_and_the_next_one_comes() {
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
            assert!(out.contains(LEFT_OUT), "{shown}: {out}");
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
