//! Standard input and output.
//!
//! Where they are pipes or sockets, as they are when an editor starts the server, they are read and written when they are
//! ready, by the thread that reads messages: a message then needs no other thread to come in or to go out. Anything else
//! is read and written by threads that may wait.

use std::io;
use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input.
pub(crate) fn input() -> Box<dyn AsyncRead + Unpin> {
    direct::input().unwrap_or_else(|_| Box::new(tokio::io::stdin()))
}

/// Standard output.
pub(crate) fn output() -> Box<dyn AsyncWrite + Unpin> {
    direct::output().unwrap_or_else(|_| Box::new(tokio::io::stdout()))
}

#[cfg(unix)]
mod direct {
    use super::{AsyncRead, AsyncWrite, io};
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe::{Receiver, Sender};

    pub(super) fn input() -> io::Result<Box<dyn AsyncRead + Unpin>> {
        let fd = || io::stdin().as_fd().try_clone_to_owned();
        match Receiver::from_owned_fd(fd()?) {
            Ok(pipe) => Ok(Box::new(pipe)),
            Err(_) => Ok(Box::new(socket(fd()?)?)),
        }
    }

    pub(super) fn output() -> io::Result<Box<dyn AsyncWrite + Unpin>> {
        let fd = || io::stdout().as_fd().try_clone_to_owned();
        widen(io::stdout().as_fd());
        match Sender::from_owned_fd(fd()?) {
            Ok(pipe) => Ok(Box::new(pipe)),
            Err(_) => Ok(Box::new(socket(fd()?)?)),
        }
    }

    /// Has a pipe hold more, where that can be: what is large goes through with fewer waits for the other side.
    fn widen(fd: BorrowedFd<'_>) {
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(fd, 1 << 20);
        #[cfg(not(target_os = "linux"))]
        let _ = fd;
    }

    fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
        let socket = std::os::unix::net::UnixStream::from(fd);
        socket.local_addr()?; // fails for what is no socket
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }
}

#[cfg(not(unix))]
mod direct {
    use super::{AsyncRead, AsyncWrite, io};

    pub(super) fn input() -> io::Result<Box<dyn AsyncRead + Unpin>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn output() -> io::Result<Box<dyn AsyncWrite + Unpin>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
