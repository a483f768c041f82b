//! The line on a terminal that shows how far a run has come.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const DELAY: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// How many characters the bar itself has.
const WIDTH: u64 = 24;

/// Back to the start of the line, and away with what stands there.
const CLEAR: &[u8] = b"\r\x1b[K";

/// The line. Dropped, it disappears.
pub(crate) struct Bar {
    line: Arc<Mutex<ProgressLine>>,
    /// Ends the thread that draws, if there is one.
    _alive: Option<mpsc::Sender<()>>,
}

#[derive(Default)]
struct ProgressLine {
    ended: u64,
    blocks: u64,
    /// What is done instead of running tile blocks.
    stage: Option<String>,
    /// Whether it stands on the terminal.
    drawn: bool,
    /// Whether the terminal shows an unfinished line, which must not be overwritten.
    unfinished: bool,
    over: bool,
}

impl Bar {
    /// A bar that never shows.
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
        #[cfg(unix)]
        interrupt::clears(line.clone());
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

    /// So many tile blocks have ended.
    pub(crate) fn update(&self, ended: u64, blocks: u64) {
        let mut line = lock(&self.line);
        (line.ended, line.blocks) = (ended, blocks);
    }

    /// What is done now; `None` while tile blocks run.
    pub(crate) fn stage(&self, stage: Option<String>) {
        lock(&self.line).stage = stage;
    }

    /// Whether what was written to the terminal last ended its line.
    pub(crate) fn cursor_is_at_start(&self, at_start: bool) {
        lock(&self.line).unfinished = !at_start && io::stdout().is_terminal();
    }

    /// Clears the line, and keeps it away while the guard lives: something else is written.
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

/// A command that is interrupted ends at once, and takes its line with it.
#[cfg(unix)]
mod interrupt {
    use super::{ProgressLine, TICK};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Clears the line when a signal ends the process.
    pub(super) fn clears(line: Arc<Mutex<ProgressLine>>) {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                // Whoever holds the line writes to the terminal, which may take for ever.
                let began = Instant::now();
                let mut held = line.try_lock();
                while held.is_err() && began.elapsed() < TICK {
                    thread::sleep(Duration::from_millis(5));
                    held = line.try_lock();
                }
                if let Ok(line) = &mut held {
                    line.clear();
                }
                let _ = emulate_default_handler(signal);
            }
        });
    }
}

/// Nobody can be told that standard error is closed.
fn write(bytes: &[u8]) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(bytes).and_then(|()| err.flush());
}

/// What the line says.
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
    fn the_line_says_how_far_the_run_has_come() {
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
    fn nothing_is_drawn_over_an_unfinished_line_or_behind_the_end() {
        let mut line = ProgressLine { unfinished: true, ..ProgressLine::default() };
        line.draw(DELAY);
        assert!(!line.drawn);
        let mut line = ProgressLine { over: true, ..ProgressLine::default() };
        line.draw(DELAY);
        assert!(!line.drawn);
    }
}
