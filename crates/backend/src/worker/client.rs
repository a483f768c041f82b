//! The client side of the protocol: starts workers, sends them jobs, and kills them.

use super::error::WorkerError;
use super::killer::{Deadline, Killer};
use super::protocol::{Event, Job, Report, Request, Stage, receive, send};
use super::running_launcher::RunningLauncher;
use crate::cuda::machine::Machine;
use crate::debug;
use std::fmt;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The grace period after the time limit of a job, which the worker enforces itself, before the worker is killed.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// The time that a worker has to exit after it closed its output.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// The time limit for the inspection of a machine, whose driver may hang.
const INSPECTION: Duration = Duration::from_secs(120);

/// A running worker. It is killed when dropped.
pub struct Worker {
    pub(super) child: Arc<Mutex<Child>>,
    /// The launcher that started it, if any.
    pub(super) launcher: Option<RunningLauncher>,
    pub(super) input: Arc<Mutex<Input>>,
    pub(super) output: BufReader<ChildStdout>,
    /// Whether its first message has arrived.
    pub(super) has_answered: bool,
}

/// The standard input of a worker; `None` when it is closed.
type Input = Option<ChildStdin>;

fn send_to(input: &Mutex<Input>, request: &Request) -> io::Result<()> {
    match &mut *input.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(input) => send(input, request),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Sends debugger commands to a run from another thread.
#[derive(Clone)]
pub struct Commander(Arc<Mutex<Input>>);

impl Commander {
    /// Sends a command. It is ignored if the run is over.
    pub fn send(&self, command: debug::Command) -> io::Result<()> {
        send_to(&self.0, &Request::Debug(command))
    }
}

impl Worker {
    /// Whether the process is running.
    pub fn is_alive(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(child.try_wait(), Ok(None))
    }

    /// A handle that kills this worker.
    pub fn killer(&self) -> Killer {
        Killer { child: self.child.clone(), is_group: self.launcher.is_some() }
    }

    /// Runs a job, and calls `events` as events arrive. The worker cannot be used after an error.
    pub fn run(&mut self, job: &Job, events: impl FnMut(Event)) -> Result<Report, WorkerError> {
        let Some(limit) = job.timeout_ms.map(Duration::from_millis) else { return self.talk(job, events) };
        let deadline = Deadline::start(self.killer(), limit.saturating_add(GRACE));
        let outcome = self.talk(job, events);
        if deadline.has_killed() { Err(WorkerError::Late { limit }) } else { outcome }
    }

    /// A handle that sends debugger commands from another thread.
    pub fn commander(&self) -> Commander {
        Commander(self.input.clone())
    }

    pub(super) fn request(&self, request: &Request) -> io::Result<()> {
        send_to(&self.input, request)
    }

    /// Inspects the worker's machine.
    pub fn inspect_machine(&mut self) -> Result<Machine, WorkerError> {
        let deadline = Deadline::start(self.killer(), INSPECTION);
        let doing = || "inspecting its machine".to_string();
        let answer = match self.request(&Request::Look) {
            Ok(()) => self.next_event(doing),
            Err(_) => Err(self.ended(doing())),
        };
        if deadline.has_killed() {
            return Err(WorkerError::Late { limit: INSPECTION });
        }
        match answer? {
            Event::Machine(machine) => Ok(*machine),
            _ => Err(WorkerError::Talk(io::ErrorKind::InvalidData.into())),
        }
    }

    /// Receives the next event. `doing` describes the worker's activity, in case it has ended.
    pub(super) fn next_event(&mut self, doing: impl FnOnce() -> String) -> Result<Event, WorkerError> {
        match receive(&mut self.output) {
            Ok(Some(event)) => Ok(event),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(WorkerError::Talk(error)),
            _ => Err(self.ended(doing())),
        }
    }

    fn talk(&mut self, job: &Job, events: impl FnMut(Event)) -> Result<Report, WorkerError> {
        self.begin(job)?;
        self.follow(job, events)
    }

    /// Starts a job. From now on, a [`Commander`] refers to this job. Must be followed by [`Worker::follow`].
    pub fn begin(&mut self, job: &Job) -> Result<(), WorkerError> {
        match self.request(&Request::Run(Box::new(job.clone()))) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(WorkerError::Talk(error)),
            Err(_) => Err(self.ended("reading its job".to_string())),
            Ok(()) => Ok(()),
        }
    }

    /// Waits for a job that has begun, and calls `events` as events arrive.
    pub fn follow(&mut self, job: &Job, mut events: impl FnMut(Event)) -> Result<Report, WorkerError> {
        let mut doing = Doing { job, stage: Stage::Preparing, progress: None };
        loop {
            match receive(&mut self.output) {
                Ok(Some(Event::Done(mut report))) => {
                    report_crash(&mut report, job);
                    return Ok(*report);
                }
                Ok(Some(event)) => {
                    doing.see(&event);
                    events(event);
                }
                Ok(None) => return Err(self.ended(doing.to_string())),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(self.ended(doing.to_string()));
                }
                Err(error) => return Err(WorkerError::Talk(error)),
            }
        }
    }

    /// Determines how a worker ended after it closed its output. Kills it if it is still running.
    pub(super) fn ended(&mut self, doing: String) -> WorkerError {
        let killer = self.killer();
        killer.wait(SHUTDOWN_GRACE);
        killer.kill();
        let ended = self.child.lock().unwrap_or_else(PoisonError::into_inner).wait();
        let (status, has_crashed) = match ended {
            Ok(status) => {
                await_interrupt(status);
                (format!("{status}{}", likely_cause(status)), status.code().is_some_and(is_crash))
            }
            Err(error) => (error.to_string(), false),
        };
        match &self.launcher {
            Some(RunningLauncher { name, output, .. }) => {
                WorkerError::Lost { launcher: name.clone(), status, doing, has_crashed, output: output.last_lines() }
            }
            None => WorkerError::Ended { status, doing },
        }
    }

    /// Lets the worker of a launcher end normally: its standard input is closed.
    fn close(&self) {
        if self.launcher.is_some() && self.has_answered {
            if let Ok(mut input) = self.input.try_lock() {
                input.take();
            }
            self.killer().wait(SHUTDOWN_GRACE);
        }
    }
}

/// Whether a launcher returned this exit status for a worker that crashed: a panic of Rust, or a signal as in a shell.
fn is_crash(code: i32) -> bool {
    const SIGNALS: i32 = 128;
    [PANIC, SIGNALS + 4, SIGNALS + 6, SIGNALS + 7, SIGNALS + 8, SIGNALS + 11].contains(&code)
}

/// The exit status of a panic in Rust.
const PANIC: i32 = 101;

/// Writes a report of a compiler crash on the client's machine, and adds its path to the finding.
fn report_crash(report: &mut Report, job: &Job) {
    let Some(crash) = &report.crash else { return };
    if let Some(found) = report.findings.first_mut() {
        found.message += &format!("\n  note: {}", crash.report(&job.text));
        found.notes.push(crash.help(&job.path));
    }
}

/// The activity of a worker, according to its events.
struct Doing<'a> {
    job: &'a Job,
    stage: Stage,
    progress: Option<(u64, u64)>,
}

impl Doing<'_> {
    fn see(&mut self, event: &Event) {
        match event {
            Event::Stage(stage) => self.stage = stage.clone(),
            Event::Progress { ended, blocks } => self.progress = Some((*ended, *blocks)),
            Event::Printed { .. }
            | Event::Traced(_)
            | Event::Done(_)
            | Event::Machine(_)
            | Event::Stopped(_)
            | Event::Accessed(_)
            | Event::Contents(_)
            | Event::Logged { .. }
            | Event::Bench(_)
            | Event::Benched(_)
            | Event::Answer(..) => {}
        }
    }
}

impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = &self.job.entry;
        let launch = self.job.launch.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
        match &self.stage {
            Stage::Preparing => write!(f, "creating the buffers of `@{entry}`{launch}"),
            Stage::Running => {
                write!(f, "running `@{entry}`{launch}")?;
                match self.progress {
                    Some((ended, blocks)) if blocks > 1 => write!(f, ", {ended} of {blocks} tile blocks done"),
                    _ => Ok(()),
                }
            }
            Stage::Comparing(range) => {
                let before = self.job.text.as_bytes().iter().take(range.start as usize);
                let line = 1 + before.filter(|&&byte| byte == b'\n').count();
                write!(f, "checking the expectation on line {line} for `@{entry}`{launch}")
            }
            Stage::Saving => write!(f, "writing the buffers of `@{entry}`{launch} to files"),
        }
    }
}

/// Waits after a signal that a terminal sends to both the worker and this program, so that this program ends before it
/// reports the end of the worker.
fn await_interrupt(status: ExitStatus) {
    #[cfg(unix)]
    if matches!(std::os::unix::process::ExitStatusExt::signal(&status), Some(1 | 2 | 15)) {
        thread::sleep(SHUTDOWN_GRACE);
    }
    let _ = status;
}

/// The probable reason for an exit status.
fn likely_cause(status: ExitStatus) -> &'static str {
    const BUG: &str = "\n  help: this is a bug in `tile`; please report it with the program";
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            9 => "\n  help: the machine may have run out of memory, or the process was killed",
            4 | 6 | 7 | 8 | 11 => BUG,
            _ => "",
        };
    }
    if status.code() == Some(PANIC) { BUG } else { "" }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.close();
        self.killer().kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::protocol::{self, Hello, VERSION};
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
    use std::process::Command;
    use tile_launch::Launch;

    /// A fake worker that writes `output` and then runs a shell command.
    fn worker(name: &str, output: &[u8], ends: &str) -> (Worker, PathBuf) {
        let path = std::env::temp_dir().join(format!("tile-worker-{}-{name}", std::process::id()));
        std::fs::File::create(&path).and_then(|mut file| file.write_all(output)).expect("the folder is writable");
        let command = format!("cat {}; head -c 5 > /dev/null; {ends}", path.display());
        let worker = Worker::start_with(Command::new("sh").args(["-c", &command])).expect("`sh` is installed");
        (worker, path)
    }

    /// The error for a worker that has sent these events and then ends.
    fn error_of(name: &str, events: &[Event], ends: &str) -> String {
        let mut output = Vec::new();
        let hello = Hello { protocol: VERSION, program: "x".to_string() };
        protocol::send(&mut output, &hello).expect("a vector accepts all bytes");
        events.iter().for_each(|event| protocol::send(&mut output, event).expect("a vector accepts all bytes"));
        let launch = Launch {
            name: Some("two".into()),
            is_bench: false,
            grid: [4, 1, 1],
            args: vec![],
            forward: None,
            expects: vec![],
            range: 0..0,
        };
        let (mut worker, path) = worker(name, &output, ends);
        let error = worker.run(&Job::new("one\ntwo\nthree", "k", launch), |_| {}).expect_err("the worker ends early");
        std::fs::remove_file(path).expect("the file exists");
        error.to_string()
    }

    #[test]
    fn a_crash_is_reported_with_the_activity_of_the_worker() {
        let bug = "\n  help: this is a bug in `tile`; please report it with the program";
        let panicked = format!("exit status: 101{bug}");
        let running = [Event::Stage(Stage::Running), Event::Progress { ended: 1, blocks: 4 }];
        let comparing = [Event::Stage(Stage::Comparing(8..9))];
        for (name, events, ends, doing, how) in [
            ("a", &running[..0], "exit 101", "creating the buffers of `@k` \"two\"", panicked.as_str()),
            ("b", &running[..], "exit 101", "running `@k` \"two\", 1 of 4 tile blocks done", &panicked),
            ("c", &running[..1], "exit 3", "running `@k` \"two\"", "exit status: 3"),
            ("d", &comparing[..], "exit 101", "checking the expectation on line 3 for `@k` \"two\"", &panicked),
        ] {
            assert_eq!(error_of(name, events, ends), format!("the worker process ended while {doing}: {how}"));
        }
        let aborted = error_of("e", &running, "kill -ABRT $$");
        assert!(aborted.contains("signal: 6") && aborted.ends_with(bug), "{aborted}");
    }
}
