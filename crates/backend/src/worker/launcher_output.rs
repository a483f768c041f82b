//! The last lines that a launcher printed to standard error.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of lines to keep.
const MAX_LINES: usize = 8;

/// The maximum length of a line in bytes. Longer lines are split.
const MAX_LINE: u64 = 400;

/// The time to wait for the last lines of a launcher that has ended. A process that it left behind, such as the shared
/// connection of `ssh`, can keep the stream open.
const END_GRACE: Duration = Duration::from_millis(200);

/// The last lines of a stream, which a thread reads.
#[derive(Clone, Default)]
pub(super) struct LauncherOutput(Arc<(Mutex<Lines>, Condvar)>);

#[derive(Default)]
struct Lines {
    last: VecDeque<String>,
    has_ended: bool,
}

impl LauncherOutput {
    /// Reads a stream until it ends.
    pub(super) fn read(stream: impl Read + Send + 'static) -> LauncherOutput {
        let output = LauncherOutput::default();
        let lines = output.clone();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while matches!((&mut stream).take(MAX_LINE).read_until(b'\n', &mut line), Ok(1..)) {
                lines.add(String::from_utf8_lossy(&line).trim_end());
                line.clear();
            }
            lines.end();
        });
        output
    }

    /// The output of a launcher whose standard error is not captured.
    pub(super) fn ended() -> LauncherOutput {
        let output = LauncherOutput::default();
        output.end();
        output
    }

    fn add(&self, line: &str) {
        if line.is_empty() {
            return;
        }
        let mut lines = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.last.push_back(line.to_string());
        if lines.last.len() > MAX_LINES {
            lines.last.pop_front();
        }
    }

    fn end(&self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
        self.0.1.notify_all();
    }

    /// The last line so far.
    pub(super) fn last_line(&self) -> Option<String> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).last.back().cloned()
    }

    /// The last lines of a launcher that has ended.
    pub(super) fn last_lines(&self) -> Vec<String> {
        let lines = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.1.wait_timeout_while(lines, END_GRACE, |lines| !lines.has_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.last.iter().cloned().collect()
    }
}
