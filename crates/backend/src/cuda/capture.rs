//! Captures the output of kernels. The driver writes it to the standard output of the process, which a worker also uses
//! to communicate with its client. The worker therefore redirects its own messages first.

use std::fs::File;
use std::io;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The marker that ends the output of a run.
const END: &[u8] = b"\x03end of the run\x04";

/// The maximum time to wait for text that the driver has already written.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Captured standard output of the process.
pub struct Capture {
    receiver: Receiver<Vec<u8>>,
    buffer: Vec<u8>,
}

impl Capture {
    /// Redirects standard output. Returns the original one, for the worker's own messages.
    #[cfg(unix)]
    pub fn start() -> io::Result<(Capture, File)> {
        let original = rustix::io::dup(rustix::stdio::stdout())?;
        let (read, write) = rustix::pipe::pipe()?;
        rustix::stdio::dup2_stdout(&write)?;
        Ok((Capture { receiver: spawn_reader(File::from(read)), buffer: Vec::new() }, File::from(original)))
    }

    /// Redirects standard output, which is not supported on this system.
    #[cfg(not(unix))]
    pub fn start() -> io::Result<(Capture, File)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns what was printed since the last call.
    pub fn take(&mut self) -> io::Result<Vec<u8>> {
        flush();
        #[cfg(unix)]
        rustix::io::write(rustix::stdio::stdout(), END)?;
        let mut searched = 0;
        loop {
            let end = memchr::memmem::find(&self.buffer[searched..], END).map(|end| searched + end);
            if let Some(end) = end {
                let rest = self.buffer.split_off(end + END.len());
                let mut text = std::mem::replace(&mut self.buffer, rest);
                text.truncate(end);
                return Ok(text);
            }
            let late = |_| io::Error::new(io::ErrorKind::TimedOut, "timed out while reading the output of the kernel");
            // The marker can be divided between two chunks.
            searched = self.buffer.len().saturating_sub(END.len());
            let chunk = self.receiver.recv_timeout(TIMEOUT).map_err(late)?;
            self.buffer.extend_from_slice(&chunk);
        }
    }
}

/// Reads the output in a thread that lives as long as the process, because standard output stays open until then.
#[cfg(unix)]
fn spawn_reader(mut input: File) -> Receiver<Vec<u8>> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut chunk = [0; 1 << 14];
        while let Ok(count @ 1..) = io::Read::read(&mut input, &mut chunk) {
            if sender.send(chunk[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Flushes the C library's buffers, which the driver writes to.
#[allow(unsafe_code)]
fn flush() {
    unsafe extern "C" {
        fn fflush(stream: *mut std::ffi::c_void) -> std::ffi::c_int;
    }
    // SAFETY: a null stream means all streams; the function can be called at any time from any thread.
    unsafe { fflush(std::ptr::null_mut()) };
}
