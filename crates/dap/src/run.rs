//! The worker that runs the debugged launch, and its events.

use crate::protocol::{Empty, ExitedEvent, OutputEvent, SourceFile, StoppedEvent};
use crate::source::Source;
use crate::stack::tile_block;
use crate::values::Row;
use crate::wire::Output;
use std::cell::Cell;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tile_analysis::ir::OpId;
use tile_analysis::lines::Position;
use tile_analysis::render::escape;
use tile_backend::debug::{Change, Command, Item, Question, Stopped, Why};
use tile_backend::worker::Killer;
use tile_backend::worker::{Commander, Event, Host, Job, Report, ReportedFinding, WorkerError};

/// A run in the debugger.
pub(crate) struct DebugRun {
    commander: Commander,
    killer: Killer,
    state: Arc<State>,
    answers: Receiver<(u64, Answer)>,
    /// The number of the last question.
    asked: Cell<u64>,
}

/// The answer of the worker to a question.
type Answer = Result<Vec<Item>, String>;

/// The state shared by the threads of a session.
struct State {
    output: Output,
    source: Arc<Source>,
    /// Where the run has stopped, if it has.
    stopped: Mutex<Option<Stopped>>,
    /// The tile block of the last stop.
    previous_block: Mutex<Option<[u32; 3]>>,
    /// Whether the editor has ended the run.
    cancelled: AtomicBool,
}

const ENDED: &str = "the run has ended";

/// How long to wait for an answer. Products of large buffers take a while.
const TIMEOUT: Duration = Duration::from_secs(60);

impl DebugRun {
    /// Starts a job in a worker.
    pub(crate) fn start(job: Job, source: Arc<Source>, output: Output) -> Result<DebugRun, WorkerError> {
        let mut worker = Host::default().worker()?;
        let (commander, killer) = (worker.commander(), worker.killer());
        let state = Arc::new(State {
            output,
            source,
            stopped: Mutex::default(),
            previous_block: Mutex::default(),
            cancelled: AtomicBool::default(),
        });
        let (answer_sender, answers) = mpsc::channel();
        let reporter = state.clone();
        worker.begin(&job)?;
        thread::spawn(move || {
            let killer = worker.killer();
            let outcome = worker.follow(&job, |event| {
                // The editor is gone, so the run is useless.
                if reporter.report_event(event, &answer_sender).is_err() {
                    killer.kill();
                }
            });
            // The editor may be gone.
            let _ = reporter.report_end(outcome);
        });
        Ok(DebugRun { commander, killer, state, answers, asked: Cell::new(0) })
    }

    /// Where the run has stopped.
    pub(crate) fn stopped(&self) -> MutexGuard<'_, Option<Stopped>> {
        self.state.stopped()
    }

    /// Sends the run a command.
    pub(crate) fn command(&self, command: Command) -> Result<(), String> {
        if matches!(command, Command::Go(_)) {
            *self.stopped() = None;
        }
        self.commander.send(command).map_err(|_| ENDED.to_string())
    }

    /// The value of a formula in a stopped run.
    pub(crate) fn evaluate(&self, formula: String) -> Result<Item, String> {
        self.ask(Question::Evaluate(formula))?.pop().ok_or_else(|| ENDED.to_string())
    }

    /// Children of a row in a stopped run.
    pub(crate) fn children(&self, row: &Row, range: Range<u64>) -> Answer {
        self.ask(Question::Children { of: row.of.clone(), row: row.index.clone(), range })
    }

    /// Checks that a data breakpoint can observe a formula.
    pub(crate) fn observe(&self, formula: &str) -> Result<(), String> {
        self.ask(Question::Observe(formula.to_string())).map(drop)
    }

    fn ask(&self, question: Question) -> Answer {
        let number = self.asked.get() + 1;
        self.asked.set(number);
        self.command(Command::Ask(number, question))?;
        loop {
            match self.answers.recv_timeout(TIMEOUT) {
                Ok((of, answer)) if of == number => return answer,
                // The late answer to an earlier question.
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(format!("no answer within {TIMEOUT:?}")),
                Err(RecvTimeoutError::Disconnected) => return Err(ENDED.to_string()),
            }
        }
    }

    /// Ends the run.
    pub(crate) fn kill(&self) {
        self.state.cancelled.store(true, Ordering::Relaxed);
        self.killer.kill();
    }
}

impl State {
    fn stopped(&self) -> MutexGuard<'_, Option<Stopped>> {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handles an event of the worker. Fails if the editor is gone.
    fn report_event(&self, event: Event, answers: &Sender<(u64, Answer)>) -> io::Result<()> {
        self.output.wait_for_room();
        match event {
            Event::Stopped(stopped) => self.stop(*stopped),
            Event::Answer(number, answer) => answers.send((number, answer)).map_err(io::Error::other),
            Event::Logged { op, text } => self.log(op, &text),
            Event::Printed { op, text, .. } => self.print("stdout", &String::from_utf8_lossy(&text), Some(op.start)),
            _ => Ok(()),
        }
    }

    fn stop(&self, stopped: Stopped) -> io::Result<()> {
        let block = tile_block(stopped.block);
        let (reason, what, text) = match &stopped.why {
            Why::Entry => ("entry", "first op", None),
            Why::Stop => ("breakpoint", "breakpoint", None),
            Why::Changed(change) => ("data breakpoint", "data breakpoint", Some(self.describe(change))),
            Why::Step => ("step", "step", None),
            Why::Block => ("goto", "start", None),
            Why::Pause => ("pause", "paused", None),
            Why::Failed { code, message } => ("exception", "failed", Some(format!("{code}: {message}"))),
        };
        // Editors shorten the description, so the tile block comes first.
        let description = format!("{block}: {what}");
        let previous = self.previous_block.lock().unwrap_or_else(PoisonError::into_inner).replace(stopped.block);
        if previous.is_some_and(|previous| previous != stopped.block) {
            self.print("console", &format!("now in {block}\n"), None)?;
        }
        if let (Why::Changed(change), Some(text)) = (&stopped.why, &text) {
            self.log(change.op, text)?;
        }
        *self.stopped() = Some(stopped);
        let event = StoppedEvent { reason, thread_id: 1, all_threads_stopped: true, text, description };
        self.output.event("stopped", event)
    }

    fn describe(&self, Change { element, values: [old, new], others, op }: &Change) -> String {
        let others = match others {
            0 => String::new(),
            1 => ", and 1 more element".to_string(),
            others => format!(", and {others} more elements"),
        };
        let (name, line) = (self.source.op_name(OpId(*op)), self.source.op(OpId(*op)).row);
        format!("{element} changed from {old} to {new}{others} ({name}, line {line})")
    }

    /// Prints the message of a breakpoint.
    fn log(&self, op: u32, text: &str) -> io::Result<()> {
        self.print_at("console", &format!("{text}\n"), Some(self.source.op(OpId(op))))
    }

    /// Prints to the editor's console, with a location in the program if an offset is given.
    fn print(&self, category: &str, text: &str, offset: Option<u32>) -> io::Result<()> {
        self.print_at(category, text, offset.map(|offset| self.source.place(offset)))
    }

    fn print_at(&self, category: &str, text: &str, place: Option<Position>) -> io::Result<()> {
        let (line, column) = (place.as_ref().map(|place| place.row), place.as_ref().map(|place| place.column));
        let source = place.map(|_| SourceFile { name: None, path: self.source.path.clone() });
        self.output.event("output", OutputEvent { category, output: escape(text).to_string(), source, line, column })
    }

    /// Reports the end of the run.
    fn report_end(&self, outcome: Result<Report, WorkerError>) -> io::Result<()> {
        *self.stopped() = None;
        let code = match outcome {
            Ok(report) => self.report(&report)?,
            // The editor has ended the run.
            Err(_) if self.cancelled.load(Ordering::Relaxed) => 0,
            Err(error) => {
                self.print("stderr", &format!("error: {error}\n"), None)?;
                2
            }
        };
        self.output.event("exited", ExitedEvent { exit_code: code })?;
        self.output.event("terminated", Empty {})
    }

    /// Prints the result of a run. Returns its exit status, the same as that of `tile run`.
    fn report(&self, report: &Report) -> io::Result<u8> {
        for ReportedFinding { code, message, range, notes, .. } in &report.findings {
            let notes: String = notes.iter().map(|note| format!("  note: {note}\n")).collect();
            self.print("stderr", &format!("{code}: {message}\n{notes}"), range.as_ref().map(|range| range.start))?;
        }
        for verdict in &report.verdicts {
            let (category, text) = if verdict.passed {
                ("console", "expectation met\n".to_string())
            } else {
                ("stderr", format!("expectation failed\n{}\n", verdict.summary.trim_end()))
            };
            self.print(category, &text, Some(verdict.range.start))?;
        }
        Ok(u8::from(!report.findings.is_empty() || report.verdicts.iter().any(|verdict| !verdict.passed)))
    }
}
