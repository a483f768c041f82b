//! Output that the client has not read yet.
//!
//! The loop that reads messages must not wait for the client to read: a client that writes before it reads would block
//! it. Output is queued here instead, so that edits still cancel running requests.

use crate::prepared::Prepared;
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;
use tokio::sync::{Notify, oneshot};

/// Bytes that may be queued before unsolicited output has to wait.
const MAX_UNASKED: usize = 16 << 20;

/// Bytes that may be queued before the server also stops reading from the client.
const MAX_QUEUED: usize = 256 << 20;

/// The number of bytes queued.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlog(Arc<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    bytes: AtomicUsize,
    /// Notified when `bytes` decreases.
    read: Notify,
}

impl Backlog {
    /// Waits until the client has read most of what was sent to it. Unsolicited output, such as that of a printing
    /// kernel, waits here.
    pub(crate) async fn has_room(&self) {
        loop {
            let read = self.0.read.notified();
            if self.0.bytes.load(Ordering::Acquire) < MAX_UNASKED {
                return;
            }
            read.await;
        }
    }
}

/// An output that accepts messages faster than they are read.
pub(crate) struct Queued<O> {
    output: O,
    backlog: Backlog,
    prepared: Prepared,
    /// Messages to write, and how many bytes of the first have been written.
    queue: VecDeque<Vec<u8>>,
    written: usize,
    bytes: usize,
    /// Notified when writing has failed for good.
    lost: Option<oneshot::Sender<()>>,
}

impl<O> Queued<O> {
    /// Creates an output that signals `lost` when the other end is closed.
    pub(crate) fn new(output: O, backlog: Backlog, prepared: Prepared, lost: oneshot::Sender<()>) -> Queued<O> {
        Queued { output, backlog, prepared, queue: VecDeque::new(), written: 0, bytes: 0, lost: Some(lost) }
    }

    fn set_bytes(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.backlog.0.bytes.store(bytes, Ordering::Release);
    }

    fn signal_lost(&mut self, error: io::Error) -> io::Error {
        // The server may have ended already.
        let _ = self.lost.take().map(|lost| lost.send(()));
        error
    }
}

impl<O: AsyncWrite + Unpin> Queued<O> {
    /// Writes as much as possible. Ready as long as more can be queued.
    fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let is_full = self.poll_queue(cx)?.is_pending() && self.bytes >= MAX_QUEUED;
        if is_full { Poll::Pending } else { Poll::Ready(Ok(())) }
    }

    /// Writes the queued messages.
    fn poll_queue(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(first) = self.queue.front() {
            if self.written == first.len() {
                self.set_bytes(self.bytes - self.written);
                self.backlog.0.read.notify_waiters();
                self.queue.pop_front();
                self.written = 0;
                continue;
            }
            match Pin::new(&mut self.output).poll_write(cx, &first[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(self.signal_lost(io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(count)) => self.written += count,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(self.signal_lost(error))),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<O: AsyncWrite + Unpin> AsyncWrite for Queued<O> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.poll_room(cx)?.is_pending() {
            return Poll::Pending;
        }
        // These are whole messages, because each call takes all bytes.
        let messages = self.prepared.fill(buf).unwrap_or_else(|| buf.to_vec());
        let bytes = self.bytes + messages.len();
        self.queue.push_back(messages);
        self.set_bytes(bytes);
        // The rest is written with the next message, or by a flush.
        let _ = self.poll_queue(cx)?;
        Poll::Ready(Ok(buf.len()))
    }

    /// Does not wait for the client to read. The rest is written when the pipe has room again, which wakes the caller.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_queue(cx)?.is_pending() {
            return self.poll_room(cx);
        }
        Pin::new(&mut self.output).poll_flush(cx).map_err(|error| self.signal_lost(error))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.poll_queue(cx)?.is_pending() {
            return Poll::Pending;
        }
        Pin::new(&mut self.output).poll_shutdown(cx)
    }
}
