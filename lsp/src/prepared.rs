//! Answers that are written as text at once, because they are too large to be built as a tree of JSON values first.
//!
//! A request answers with a placeholder that bears a number. On the way out the placeholder gives way to the text that
//! was prepared under that number, and the message's length is corrected. Messages without a placeholder pass unread.

use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;
use tokio::sync::{Notify, oneshot};
use tower_lsp::ls_types::SemanticTokens;

/// What starts the number in a placeholder: a character that stands in no identifier of ours.
const MARK: &str = "\u{1}prepared ";

/// [`MARK`] as it stands in JSON.
const MARK_IN_JSON: &[u8] = b"\\u0001prepared ";

/// The texts that wait for their message to go out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    texts: Mutex<HashMap<u64, Text>>,
    count: AtomicUsize,
    next: AtomicU64,
    /// How many bytes wait for the client to read.
    queued: AtomicUsize,
    /// Told when they become fewer.
    read: Notify,
}

impl Prepared {
    /// Keeps the text of an answer to a request for semantic tokens, in pieces. What is given back is the answer to return.
    pub(crate) fn keep(&self, text: Vec<Vec<u8>>) -> SemanticTokens {
        self.keep_as(text, |mark| SemanticTokens { result_id: Some(mark), data: Vec::new() })
    }

    /// Keeps the text of an answer. What is given back is the answer to return: one that holds the mark.
    pub(crate) fn keep_as<T: Serialize>(&self, text: Vec<Vec<u8>>, placeholder: impl FnOnce(String) -> T) -> T {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let answer = placeholder(format!("{MARK}{number}"));
        // As messages are built: by way of a tree, which sorts the keys.
        let placeholder = serde_json::to_value(&answer).map(|value| value.to_string()).unwrap_or_default();
        self.lock().insert(number, Text { placeholder, text });
        self.0.count.fetch_add(1, Ordering::Release);
        answer
    }

    /// Waits until the client has read most of what was sent to it. What writes without being asked, such as a kernel that
    /// prints, waits here.
    pub(crate) async fn has_room(&self) {
        loop {
            let read = self.0.read.notified();
            if self.0.queued.load(Ordering::Acquire) < MAX_UNASKED {
                return;
            }
            read.await;
        }
    }

    fn take(&self, number: u64) -> Option<Text> {
        let text = self.lock().remove(&number)?;
        self.0.count.fetch_sub(1, Ordering::Release);
        Some(text)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Text>> {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_empty(&self) -> bool {
        self.0.count.load(Ordering::Acquire) == 0
    }
}

/// A text in pieces, and what stands in its place until it goes out.
#[derive(Debug)]
struct Text {
    placeholder: String,
    text: Vec<Vec<u8>>,
}

/// An output in which placeholders give way to their texts.
pub(crate) struct Filled<O> {
    output: O,
    prepared: Prepared,
    /// What is to be written, and how much of its first part has been.
    queue: VecDeque<Vec<u8>>,
    written: usize,
    /// How many bytes are queued.
    queued: usize,
    /// Told when nothing can be written any more.
    lost: Option<oneshot::Sender<()>>,
}

/// How many bytes may wait for a client that does not read before what it did not ask for has to wait.
const MAX_UNASKED: usize = 16 << 20;

/// How many bytes may wait for a client that does not read before it is not listened to either. Until then it is: a client
/// that writes before it reads is not kept waiting, what it changes cancels what is under way, and what it cancels ends.
const MAX_QUEUED: usize = 256 << 20;

impl<O> Filled<O> {
    pub(crate) fn new(output: O, prepared: Prepared) -> Filled<O> {
        Filled { output, prepared, queue: VecDeque::new(), written: 0, queued: 0, lost: None }
    }

    /// The same output, which says here when nobody reads it any more.
    pub(crate) fn telling(self, lost: oneshot::Sender<()>) -> Filled<O> {
        Filled { lost: Some(lost), ..self }
    }

    /// Queues whole messages. Whoever writes here hands over whole messages, since each time all is taken.
    fn put(&mut self, messages: &[u8]) {
        if self.prepared.is_empty() || !contains(messages, MARK_IN_JSON) {
            self.push(messages.to_vec());
            return;
        }
        let mut rest = messages;
        while let Some((body, behind)) = message(rest) {
            let whole = &rest[..rest.len() - behind.len()];
            match number_in(body).and_then(|number| self.prepared.take(number)) {
                Some(text) => self.fill(body, text),
                None => self.push(whole.to_vec()),
            }
            rest = behind;
        }
        if !rest.is_empty() {
            self.push(rest.to_vec());
        }
    }

    fn push(&mut self, bytes: Vec<u8>) {
        self.queued += bytes.len();
        self.prepared.0.queued.store(self.queued, Ordering::Release);
        self.queue.push_back(bytes);
    }

    fn fill(&mut self, body: &[u8], Text { placeholder, text }: Text) {
        let at = find(body, placeholder.as_bytes()).unwrap_or(body.len());
        let behind = &body[(at + placeholder.len()).min(body.len())..];
        let length = at + text.iter().map(Vec::len).sum::<usize>() + behind.len();
        let mut head = format!("Content-Length: {length}\r\n\r\n").into_bytes();
        head.extend_from_slice(&body[..at]);
        self.push(head);
        text.into_iter().for_each(|part| self.push(part));
        self.push(behind.to_vec());
    }
}

impl<O: AsyncWrite + Unpin> Filled<O> {
    /// Writes what can be written. Ready as long as more may be queued.
    fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let is_full = self.poll_queue(cx)?.is_pending() && self.queued >= MAX_QUEUED;
        if is_full { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    /// Writes what is queued.
    fn poll_queue(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(first) = self.queue.front() {
            if self.written == first.len() {
                self.queued -= first.len();
                self.prepared.0.queued.store(self.queued, Ordering::Release);
                self.prepared.0.read.notify_waiters();
                self.queue.pop_front();
                self.written = 0;
                continue;
            }
            match Pin::new(&mut self.output).poll_write(cx, &first[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(self.is_lost(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(count)) => self.written += count,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(self.is_lost(error))),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<O> Filled<O> {
    fn is_lost(&mut self, error: io::Error) -> io::Error {
        // Where nobody listens nobody waits.
        self.lost.take().map(|lost| lost.send(()));
        error
    }
}

impl<O: AsyncWrite + Unpin> AsyncWrite for Filled<O> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.poll_room(cx)?.is_pending() {
            return Poll::Pending;
        }
        self.put(buf);
        // What cannot be written now is written with the next message, or by a flush.
        let _ = self.poll_queue(cx)?;
        Poll::Ready(Ok(buf.len()))
    }

    /// Does not wait for the client to read. What is left is written when the pipe has room again: then whoever flushes here
    /// is woken, and flushes again.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_queue(cx)?.is_pending() {
            return self.poll_room(cx);
        }
        Pin::new(&mut self.output).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_queue(cx)?.is_pending() {
            return Poll::Pending;
        }
        Pin::new(&mut self.output).poll_shutdown(cx)
    }
}

/// The body of the first message, and what stands behind it.
fn message(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let head = find(bytes, b"\r\n\r\n")?;
    let length =
        std::str::from_utf8(&bytes[..head]).ok()?.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    let body = &bytes[head + 4..];
    let length = length.trim().parse::<usize>().ok().filter(|&length| length <= body.len())?;
    Some(body.split_at(length))
}

fn number_in(body: &[u8]) -> Option<u64> {
    let from = find(body, MARK_IN_JSON)? + MARK_IN_JSON.len();
    let digits = body[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&body[from..from + digits]).ok()?.parse().ok()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    find(bytes, wanted).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[tokio::test]
    async fn a_placeholder_gives_way_to_its_text() {
        let prepared = Prepared::default();
        let mut output = Filled::new(Vec::new(), prepared.clone());
        let answer = |tokens: &SemanticTokens| {
            let value = serde_json::to_value(tokens).expect("it is JSON");
            framed(&serde_json::json!({ "id": 1, "jsonrpc": "2.0", "result": value }).to_string())
        };
        let (first, second) =
            (prepared.keep(vec![b"[1]".to_vec()]), prepared.keep(vec![b"[2, ".to_vec(), b"2]".to_vec()]));
        let messages = framed("{\"a\":1}") + &answer(&second) + &answer(&first) + &framed("{\"b\":1}");
        output.write_all(messages.as_bytes()).await.expect("it is written");
        output.write_all(answer(&first).as_bytes()).await.expect("it is written");
        output.flush().await.expect("it is written");
        let expected = framed("{\"a\":1}")
            + &framed("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":[2, 2]}")
            + &framed("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":[1]}")
            + &framed("{\"b\":1}")
            + &answer(&first);
        assert_eq!(String::from_utf8_lossy(&output.output), expected);
        assert!(prepared.is_empty());
    }
}
