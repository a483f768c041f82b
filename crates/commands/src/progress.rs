//! The progress line on a terminal.

use crate::interrupt;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The delay before the line appears.
const DELAY: Duration = Duration::from_secs(1);

/// The interval between updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// The width of the bar, in characters.
const WIDTH: u64 = 24;

/// Moves the cursor to the start of the line, and clears the line.
const CLEAR: &[u8] = b"\r\x1b[K";

/// The progress line, which is cleared on drop.
pub(crate) struct Bar {
    line: Arc<Mutex<ProgressLine>>,
    /// Ends the drawing thread, if any, on drop.
    _alive: Option<mpsc::Sender<()>>,
}

#[derive(Default)]
struct ProgressLine {
    ended: u64,
    blocks: u64,
    /// The current activity, if it is not running tile blocks.
    stage: Option<String>,
    /// Whether the terminal shows the line.
    drawn: bool,
    /// Whether the cursor is in an unfinished line of output, which must not be overwritten.
    unfinished: bool,
    over: bool,
}

impl Bar {
    /// A bar that is never shown.
    pub(crate) fn hidden() -> Bar {
        Bar { line: Arc::default(), _alive: None }
    }

    /// A bar on standard error, if that is a terminal.
    pub(crate) fn on_terminal() -> Bar {
        if !io::stderr().is_terminal() {
            return Bar::hidden();
        }
        let (line, began) = (Arc::<Mutex<ProgressLine>>::default(), Instant::now());
        let (alive, over) = mpsc::channel::<()>();
        clear_before_end(line.clone());
        let drawn = line.clone();
        thread::spawn(move || {
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if began.elapsed() >= DELAY {
                    lock(&drawn).draw(began.elapsed());
                }
            }
        });
        Bar { line, _alive: Some(alive) }
    }

    /// Sets the number of finished tile blocks, and their total.
    pub(crate) fn update(&self, ended: u64, blocks: u64) {
        let mut line = lock(&self.line);
        (line.ended, line.blocks) = (ended, blocks);
    }

    /// Sets the current activity; `None` while tile blocks run.
    pub(crate) fn stage(&self, stage: Option<String>) {
        lock(&self.line).stage = stage;
    }

    /// Sets whether the last output to the terminal ended its line.
    pub(crate) fn cursor_is_at_start(&self, at_start: bool) {
        lock(&self.line).unfinished = !at_start && io::stdout().is_terminal();
    }

    /// Clears the line, and hides it while the guard lives, so that other output can be written.
    pub(crate) fn aside(&self) -> impl Drop + use<'_> {
        let mut line = lock(&self.line);
        line.clear();
        line
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        let mut line = lock(&self.line);
        line.clear();
        line.over = true;
    }
}

fn lock(line: &Mutex<ProgressLine>) -> MutexGuard<'_, ProgressLine> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressLine {
    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            write(CLEAR);
        }
    }

    fn draw(&mut self, elapsed: Duration) {
        if !self.over && !self.unfinished {
            self.drawn = true;
            let text = text(self.stage.as_deref(), self.ended, self.blocks, elapsed);
            write(&[CLEAR, text.as_bytes()].concat());
        }
    }
}

/// Clears the line for good before a signal ends the process.
fn clear_before_end(line: Arc<Mutex<ProgressLine>>) {
    interrupt::before_end(move || {
        // A thread that holds the line is writing to the terminal, which can block indefinitely.
        let began = Instant::now();
        let mut held = line.try_lock();
        while held.is_err() && began.elapsed() < TICK {
            thread::sleep(Duration::from_millis(5));
            held = line.try_lock();
        }
        if let Ok(line) = &mut held {
            line.clear();
            line.over = true;
        }
    });
}

/// Writes to standard error, and ignores errors: if it is closed, there is nowhere to report it.
fn write(bytes: &[u8]) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(bytes).and_then(|()| err.flush());
}

/// The text of the line.
fn text(stage: Option<&str>, ended: u64, blocks: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let elapsed = format!("{}:{:02}", seconds / 60, seconds % 60);
    if stage.is_some() || blocks < 2 {
        return format!("{}, {elapsed}", stage.unwrap_or("running"));
    }
    let full = (u128::from(ended.min(blocks)) * u128::from(WIDTH) / u128::from(blocks)) as usize;
    let bar = format!("{}{}", "#".repeat(full), ".".repeat(WIDTH as usize - full));
    format!("[{bar}] {ended} of {blocks} tile blocks, {elapsed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_progress() {
        let seconds = Duration::from_secs;
        let text = |ended, blocks, elapsed| text(None, ended, blocks, elapsed);
        assert_eq!(text(0, 64, seconds(1)), "[........................] 0 of 64 tile blocks, 0:01");
        assert_eq!(text(32, 64, seconds(75)), "[############............] 32 of 64 tile blocks, 1:15");
        assert_eq!(text(64, 64, seconds(600)), "[########################] 64 of 64 tile blocks, 10:00");
        assert_eq!(text(0, 1, seconds(2)), "running, 0:02");
        assert_eq!(super::text(Some("saving"), 9, 9, seconds(2)), "saving, 0:02");
        assert!(text(u64::MAX, u64::MAX, seconds(2)).starts_with("[########################]"));
    }

    #[test]
    fn nothing_is_drawn_over_an_unfinished_line_or_after_the_end() {
        let mut line = ProgressLine { unfinished: true, ..ProgressLine::default() };
        line.draw(DELAY);
        assert!(!line.drawn);
        let mut line = ProgressLine { over: true, ..ProgressLine::default() };
        line.draw(DELAY);
        assert!(!line.drawn);
    }
}
