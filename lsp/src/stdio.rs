//! Standard input and output.
//!
//! If they are pipes or sockets, as when an editor starts the server, the thread that handles messages reads and writes
//! them when they are ready. Tokio's own standard input and output use another thread for each read and write, which
//! takes as long as handling a small edit (`latency.py` measures edits). Other files are left to Tokio.

use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input.
pub(crate) fn input() -> Box<dyn AsyncRead + Unpin> {
    #[cfg(unix)]
    if let Ok(input) = direct::input() {
        return input;
    }
    Box::new(tokio::io::stdin())
}

/// Standard output.
pub(crate) fn output() -> Box<dyn AsyncWrite + Unpin> {
    #[cfg(unix)]
    if let Ok(output) = direct::output() {
        return output;
    }
    Box::new(tokio::io::stdout())
}

#[cfg(unix)]
mod direct {
    use super::{AsyncRead, AsyncWrite};
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe::{Receiver, Sender};

    pub(super) fn input() -> io::Result<Box<dyn AsyncRead + Unpin>> {
        let file = || io::stdin().as_fd().try_clone_to_owned();
        match Receiver::from_owned_fd(file()?) {
            Ok(pipe) => Ok(Box::new(pipe)),
            Err(_) => Ok(Box::new(socket(file()?)?)),
        }
    }

    pub(super) fn output() -> io::Result<Box<dyn AsyncWrite + Unpin>> {
        let file = || io::stdout().as_fd().try_clone_to_owned();
        // Fewer waits for the client to read. A system can refuse.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(io::stdout().as_fd(), 1 << 20);
        match Sender::from_owned_fd(file()?) {
            Ok(pipe) => Ok(Box::new(pipe)),
            Err(_) => Ok(Box::new(socket(file()?)?)),
        }
    }

    fn socket(file: OwnedFd) -> io::Result<UnixStream> {
        let socket = std::os::unix::net::UnixStream::from(file);
        // Fails for other files.
        socket.local_addr()?;
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }
}
