//! The end of the input as the `exit` that a client which vanished has not sent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};

const EXIT: &[u8] = b"Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";

/// An input behind whose end stands `exit`, so that requests which still run are dropped instead of waited for.
pub(crate) struct Ending<I> {
    input: I,
    /// What is left of `exit`; `None` while the input goes on.
    exit: Option<&'static [u8]>,
}

impl<I> Ending<I> {
    pub(crate) fn new(input: I) -> Ending<I> {
        Ending { input, exit: None }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Ending<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.exit.is_none() {
            let before = buf.filled().len();
            let read = Pin::new(&mut self.input).poll_read(cx, buf);
            let is_end = match &read {
                Poll::Ready(Ok(())) => buf.filled().len() == before,
                Poll::Ready(Err(_)) => true,
                Poll::Pending => false,
            };
            if !is_end {
                return read;
            }
            self.exit = Some(EXIT);
        }
        let left = self.exit.unwrap_or_default();
        let (now, later) = left.split_at(left.len().min(buf.remaining()));
        buf.put_slice(now);
        self.exit = Some(later);
        Poll::Ready(Ok(()))
    }
}
