//! The worker that runs the debugged launch, and its events.

use crate::protocol::{Empty, ExitedEvent, OutputEvent, SourceFile, StoppedEvent};
use crate::source::Source;
use crate::wire::Output;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tile_analysis::render::escape;
use tile_backend::debug::{Command, Stopped, Why};
use tile_backend::worker::client::Killer;
use tile_backend::worker::{Commander, Event, Job, Report, ReportedFinding, Worker, WorkerError};

/// A run that is debugged.
pub(crate) struct DebugRun {
    commander: Commander,
    killer: Killer,
    state: Arc<State>,
    elements: Receiver<Vec<String>>,
}

/// What the threads of a session share.
struct State {
    output: Output,
    source: Arc<Source>,
    /// Where the run has stopped, while it has.
    stopped: Mutex<Option<Stopped>>,
    /// Whether the editor has ended the run.
    unwanted: AtomicBool,
}

/// Elements are there at once, unless the worker has ended.
const TIMEOUT: Duration = Duration::from_secs(10);

impl DebugRun {
    /// Has a worker do a job.
    pub(crate) fn start(job: Job, source: Arc<Source>, output: Output) -> Result<DebugRun, WorkerError> {
        let mut worker = Worker::start()?;
        let (commander, killer) = (worker.commander(), worker.killer());
        let state = Arc::new(State { output, source, stopped: Mutex::default(), unwanted: AtomicBool::default() });
        let (reported, elements) = mpsc::channel();
        let reporter = state.clone();
        worker.begin(&job)?;
        thread::spawn(move || {
            let killer = worker.killer();
            let outcome = worker.follow(&job, |event| {
                // Nobody hears the rest of the run.
                if reporter.report_event(event, &reported).is_err() {
                    killer.kill();
                }
            });
            // Whoever does not listen any more has left.
            let _ = reporter.over(outcome);
        });
        Ok(DebugRun { commander, killer, state, elements })
    }

    /// Where the run has stopped.
    pub(crate) fn stopped(&self) -> MutexGuard<'_, Option<Stopped>> {
        self.state.stopped()
    }

    /// Tells the run what to do.
    pub(crate) fn command(&self, command: Command) -> Result<(), String> {
        if matches!(command, Command::Go(_)) {
            *self.stopped() = None;
        }
        self.commander.send(command).map_err(|_| "the run is over".to_string())
    }

    /// Elements of a tile, of a run that has stopped.
    pub(crate) fn elements(&self, value: u32, places: std::ops::Range<u64>) -> Result<Vec<String>, String> {
        self.command(Command::Elements(value, places))?;
        self.elements.recv_timeout(TIMEOUT).map_err(|_| "the run is over".to_string())
    }

    /// Ends the run, whatever it does.
    pub(crate) fn kill(&self) {
        self.state.unwanted.store(true, Ordering::Relaxed);
        self.killer.kill();
    }
}

impl State {
    fn stopped(&self) -> MutexGuard<'_, Option<Stopped>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on what the worker tells. Fails if the editor has left.
    fn report_event(&self, event: Event, elements: &Sender<Vec<String>>) -> io::Result<()> {
        self.output.wait_for_room();
        match event {
            Event::Stopped(stopped) => self.stop(*stopped),
            Event::Elements(found) => elements.send(found).map_err(io::Error::other),
            Event::Printed { op, text, .. } => self.say("stdout", &String::from_utf8_lossy(&text), Some(op.start)),
            _ => Ok(()),
        }
    }

    fn stop(&self, stopped: Stopped) -> io::Result<()> {
        let [x, y, z] = stopped.block;
        let (reason, text) = match &stopped.why {
            Why::Entry => ("entry", None),
            Why::Stop => ("breakpoint", None),
            Why::Step => ("step", None),
            Why::Pause => ("pause", None),
            Why::Failed { code, message } => ("exception", Some(format!("{code}: {message}"))),
        };
        *self.stopped() = Some(stopped);
        let description = text.as_ref().map(|_| format!("Failed in tile block ({x}, {y}, {z})"));
        let event = StoppedEvent { reason, thread_id: 1, all_threads_stopped: true, text, description };
        self.output.event("stopped", event)
    }

    /// Says something in the editor's console, of a place in the program if it is about one.
    fn say(&self, category: &str, text: &str, offset: Option<u32>) -> io::Result<()> {
        let place = offset.map(|offset| self.source.place(offset));
        let (line, column) = (place.as_ref().map(|place| place.row), place.as_ref().map(|place| place.column));
        let source = place.map(|_| SourceFile { name: None, path: self.source.path.clone() });
        self.output.event("output", OutputEvent { category, output: escape(text).to_string(), source, line, column })
    }

    /// The run has ended.
    fn over(&self, outcome: Result<Report, WorkerError>) -> io::Result<()> {
        *self.stopped() = None;
        let code = match outcome {
            Ok(report) => self.report(&report)?,
            // It was to end.
            Err(_) if self.unwanted.load(Ordering::Relaxed) => 0,
            Err(error) => {
                self.say("stderr", &format!("error: {error}\n"), None)?;
                2
            }
        };
        self.output.event("exited", ExitedEvent { exit_code: code })?;
        self.output.event("terminated", Empty {})
    }

    /// Tells what a run came to. Its exit status, as `tile run` has it.
    fn report(&self, report: &Report) -> io::Result<u8> {
        for ReportedFinding { code, message, range, notes, .. } in &report.findings {
            let notes: String = notes.iter().map(|note| format!("  note: {note}\n")).collect();
            self.say("stderr", &format!("{code}: {message}\n{notes}"), range.as_ref().map(|range| range.start))?;
        }
        for verdict in &report.verdicts {
            let (category, text) = if verdict.passed {
                ("console", "expectation met\n".to_string())
            } else {
                ("stderr", format!("expectation failed\n{}\n", verdict.summary.trim_end()))
            };
            self.say(category, &text, Some(verdict.range.start))?;
        }
        Ok(u8::from(!report.findings.is_empty() || report.verdicts.iter().any(|verdict| !verdict.passed)))
    }
}
