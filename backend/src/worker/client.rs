//! The client side of the protocol: starts workers, sends them jobs, and kills them.

use super::protocol::{Event, Hello, Job, Report, Request, Stage, VERSION, receive, send};
use crate::cuda::machine::Machine;
use crate::{debug, environment};
use std::fmt;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The grace period after the time limit of a job, which the worker enforces itself, before the worker is killed.
const GRACE: Duration = Duration::from_secs(2);

/// The default time limit for a launcher to start a worker.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The variable with another time limit, in seconds, for launchers that wait in a queue.
pub const CONNECT_TIMEOUT_VARIABLE: &str = "TILE_CONNECT_TIMEOUT";

/// The time that a worker has to exit after it closed its output.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// A running worker. It is killed when dropped.
pub struct Worker {
    child: Arc<Mutex<Child>>,
    /// The launcher that started it, if any.
    launcher: Option<String>,
    input: Arc<Mutex<ChildStdin>>,
    output: BufReader<ChildStdout>,
}

/// Kills a worker from another thread.
#[derive(Clone)]
pub struct Killer {
    child: Arc<Mutex<Child>>,
    /// Whether it leads a process group, which is killed with it.
    is_group: bool,
}

/// Sends debugger commands to a run from another thread.
#[derive(Clone)]
pub struct Commander(Arc<Mutex<ChildStdin>>);

impl Commander {
    /// Sends a command. It is ignored if the run is over.
    pub fn send(&self, command: debug::Command) -> io::Result<()> {
        send(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), &Request::Debug(command))
    }
}

/// The reason why a worker did not finish its job.
#[derive(Debug)]
pub enum WorkerError {
    /// The worker could not be started.
    Start(io::Error),
    /// The worker uses another version of the protocol.
    Version {
        /// The version of its program.
        program: String,
    },
    /// The worker ended before the job was done: it crashed or was killed.
    Ended {
        /// How it ended, and the probable reason.
        status: String,
        /// Its activity, such as ``running `@k` ``.
        doing: String,
    },
    /// The launcher ended, or its connection did.
    Lost {
        /// The launcher.
        launcher: String,
        /// How it ended.
        status: String,
        /// The worker's activity.
        doing: String,
    },
    /// The launcher did not start a worker in time. It was killed.
    Silent {
        /// The launcher.
        launcher: String,
        /// The time limit.
        limit: Duration,
    },
    /// The program that the launcher started is not a worker.
    NoWorker {
        /// The launcher.
        launcher: String,
    },
    /// The worker was killed because its job took too long.
    Late {
        /// The limit of the job.
        limit: Duration,
    },
    /// The worker's messages cannot be read, or the job cannot be sent.
    Talk(io::Error),
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerError::Start(error) => write!(f, "cannot start the worker process: {error}"),
            WorkerError::Version { program } => {
                write!(
                    f,
                    "the worker has version {program}, but this is version {}: install the same version on both machines",
                    env!("CARGO_PKG_VERSION")
                )
            }
            WorkerError::Ended { status, doing } => write!(f, "the worker process ended while {doing}: {status}"),
            WorkerError::Lost { launcher, status, doing } => write!(
                f,
                "the launcher `{launcher}` ended while its worker was {doing}: {status}\n  help: try `{launcher} tile doctor`; `tile` must be on the `PATH` there"
            ),
            WorkerError::Silent { launcher, limit } => write!(
                f,
                "the launcher `{launcher}` timed out after {limit:?}: no worker has answered\n  help: try `{launcher} tile --version`; to wait longer, set {CONNECT_TIMEOUT_VARIABLE}=600 (seconds)"
            ),
            WorkerError::NoWorker { launcher } => write!(
                f,
                "the program started by the launcher `{launcher}` does not answer as a worker of this version\n  help: `{launcher} tile --version` must print exactly one line, without a greeting"
            ),
            WorkerError::Late { limit } => write!(f, "the run timed out after {limit:?}"),
            WorkerError::Talk(error) => write!(f, "cannot communicate with the worker process: {error}"),
        }
    }
}

impl std::error::Error for WorkerError {}

impl Killer {
    /// Kills the worker. A running job ends with [`WorkerError::Ended`].
    pub fn kill(&self) {
        let Killer { child, is_group } = self;
        let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
        // The worker may have ended already.
        #[cfg(unix)]
        if *is_group
            && matches!(child.try_wait(), Ok(None))
            && let Some(group) = rustix::process::Pid::from_raw(child.id() as i32)
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(not(unix))]
        let _ = is_group;
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Worker {
    /// Starts a worker: this program with these arguments. It does not receive the whole environment.
    pub(super) fn start(arguments: &[&str]) -> Result<Worker, WorkerError> {
        let mut command = this_program().map_err(WorkerError::Start)?;
        environment::restrict(&mut command);
        if std::env::var_os(TUNABLES).is_none() {
            command.env(TUNABLES, HUGE_PAGES);
        }
        Worker::start_with(command.args(arguments))
    }

    /// Starts a worker with this command.
    pub fn start_with(command: &mut Command) -> Result<Worker, WorkerError> {
        Worker::greeted(command, None)
    }

    /// Starts a worker with a launcher of this name, which must lead a process group.
    pub(super) fn start_with_launcher(command: &mut Command, launcher: String) -> Result<Worker, WorkerError> {
        Worker::greeted(command, Some(launcher))
    }

    fn greeted(command: &mut Command, launcher: Option<String>) -> Result<Worker, WorkerError> {
        // The system's error does not name the program.
        let named = |error: io::Error| match &launcher {
            Some(launcher) => io::Error::new(error.kind(), format!("`{launcher}`: {error}")),
            None => error,
        };
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| WorkerError::Start(named(error)))?;
        let missing = || WorkerError::Start(io::Error::other("the process has no standard input or output"));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Err(missing()) };
        let child = Arc::new(Mutex::new(child));
        let input = Arc::new(Mutex::new(input));
        let mut worker = Worker { child, launcher, input, output: BufReader::new(output) };
        let limit = connect_timeout();
        let deadline = worker.launcher.is_some().then(|| Deadline::start(worker.killer(), limit));
        let hello = receive(&mut worker.output);
        if let (true, Some(launcher)) = (deadline.is_some_and(Deadline::has_killed), &worker.launcher) {
            return Err(WorkerError::Silent { launcher: launcher.clone(), limit });
        }
        let hello: Option<Hello> = match (hello, &worker.launcher) {
            (Err(error), Some(launcher)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(WorkerError::NoWorker { launcher: launcher.clone() });
            }
            (Err(error), Some(_)) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            (hello, _) => hello.map_err(WorkerError::Talk)?,
        };
        match hello {
            Some(hello) if hello.protocol == VERSION => Ok(worker),
            Some(hello) => Err(WorkerError::Version { program: hello.program }),
            None => Err(worker.ended("starting".to_string())),
        }
    }

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
        send(&mut *self.input.lock().unwrap_or_else(PoisonError::into_inner), request)
    }

    /// Inspects the worker's machine.
    pub fn inspect_machine(&mut self) -> Result<Machine, WorkerError> {
        let doing = || "inspecting its machine".to_string();
        if self.request(&Request::Look).is_err() {
            return Err(self.ended(doing()));
        }
        match self.next_event(doing)? {
            Event::Machine(machine) => Ok(*machine),
            _ => Err(WorkerError::Talk(io::ErrorKind::InvalidData.into())),
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

    /// Receives the next event. `doing` describes the worker's activity, in case it has ended.
    pub(super) fn next_event(&mut self, doing: impl FnOnce() -> String) -> Result<Event, WorkerError> {
        match receive(&mut self.output) {
            Ok(Some(event)) => Ok(event),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(WorkerError::Talk(error)),
            _ => Err(self.ended(doing())),
        }
    }

    /// Determines how a worker ended after it closed its output. Kills it if it is still running.
    pub(super) fn ended(&mut self, doing: String) -> WorkerError {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waited = Duration::ZERO;
        while matches!(child.try_wait(), Ok(None)) && waited < SHUTDOWN_GRACE {
            thread::sleep(Duration::from_millis(5));
            waited += Duration::from_millis(5);
        }
        let _ = child.kill();
        let status = match child.wait() {
            Ok(status) => {
                await_interrupt(status);
                format!("{status}{}", likely_cause(status))
            }
            Err(error) => error.to_string(),
        };
        if let Some(launcher) = self.launcher.clone() {
            return WorkerError::Lost { launcher, status, doing };
        }
        WorkerError::Ended { status, doing }
    }
}

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
    // The exit code of a panic in Rust.
    if status.code() == Some(101) { BUG } else { "" }
}

/// The time limit for a launcher to start a worker.
fn connect_timeout() -> Duration {
    let seconds = std::env::var(CONNECT_TIMEOUT_VARIABLE).ok().and_then(|text| text.parse().ok());
    seconds.filter(|seconds| (0.0..1e9).contains(seconds)).map_or(TIMEOUT, Duration::from_secs_f64)
}

/// Kills a worker that exceeds its time limit.
pub(super) struct Deadline {
    alive: mpsc::Sender<Duration>,
    watch: JoinHandle<bool>,
}

impl Deadline {
    pub(super) fn start(killer: Killer, after: Duration) -> Deadline {
        let (alive, over) = mpsc::channel();
        let watch = thread::spawn(move || {
            let mut after = after;
            let end = loop {
                match over.recv_timeout(after) {
                    Ok(other) => after = other,
                    Err(end) => break end,
                }
            };
            let is_late = end == RecvTimeoutError::Timeout;
            if is_late {
                killer.kill();
            }
            is_late
        });
        Deadline { alive, watch }
    }

    /// Starts another time limit.
    pub(super) fn restart(&self, after: Duration) {
        // The watch is over if the worker was killed.
        let _ = self.alive.send(after);
    }

    /// Stops the watch. Returns whether the worker was killed.
    pub(super) fn has_killed(self) -> bool {
        drop(self.alive);
        self.watch.join().unwrap_or(false)
    }
}

/// The settings of the C library on Linux.
const TUNABLES: &str = "GLIBC_TUNABLES";
/// Uses huge pages, which make accesses to large buffers faster.
const HUGE_PAGES: &str = "glibc.malloc.hugetlb=1";

/// A command that starts this program again.
fn this_program() -> io::Result<Command> {
    // A server can run for days, and the program's file may have been replaced meanwhile. Linux can still start the
    // program that is running.
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new("/proc/self/exe");
        command.arg0("tile");
        Ok(command)
    }
    #[cfg(not(target_os = "linux"))]
    std::env::current_exe().map(Command::new)
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.killer().kill();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::protocol;
    use super::*;
    use std::io::Write;
    use std::path::PathBuf;
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
