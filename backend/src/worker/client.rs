//! The caller's side: starting a worker, giving it jobs, ending it.

use super::protocol::{Event, Hello, Job, Report, Request, Stage, VERSION, receive, send};
use crate::cuda::machine::Machine;
use crate::debug;
use std::fmt;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a worker may go on behind the limit of its job, which it keeps to itself, before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// How long a launcher may take to start a worker where [`PATIENCE_VARIABLE`] says nothing else.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The variable that says so, in seconds: where launches wait in a queue they take longer.
pub const PATIENCE_VARIABLE: &str = "TILE_CONNECT_TIMEOUT";

/// How long a worker that has hung up may take to end.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// A running worker. Dropped, it is killed.
pub struct Worker {
    child: Arc<Mutex<Child>>,
    /// What started it, if that is not this program itself.
    launcher: Option<String>,
    input: Arc<Mutex<ChildStdin>>,
    output: BufReader<ChildStdout>,
}

/// Ends a worker from another thread.
#[derive(Clone)]
pub struct Killer {
    child: Arc<Mutex<Child>>,
    /// Whether it leads a group of processes, which all end.
    is_group: bool,
}

/// Tells a run that is debugged, from another thread, what to do.
#[derive(Clone)]
pub struct Commander(Arc<Mutex<ChildStdin>>);

impl Commander {
    /// Tells it something. A run that is over does not hear it.
    pub fn send(&self, command: debug::Command) -> io::Result<()> {
        send(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), &Request::Debug(command))
    }
}

/// Why a worker did not do its job.
#[derive(Debug)]
pub enum WorkerError {
    /// It could not be started.
    Start(io::Error),
    /// It speaks another version of the protocol.
    Version {
        /// The version of its program.
        program: String,
    },
    /// It ended before the job was done: it crashed or was killed.
    Ended {
        /// How it ended, and why that may be.
        status: String,
        /// What it was doing.
        doing: String,
    },
    /// The launcher ended, or the connection that it made.
    Lost {
        /// The launcher.
        launcher: String,
        /// How it ended.
        status: String,
        /// What the worker was doing.
        doing: String,
    },
    /// The launcher has started no worker in time. It was killed.
    Silent {
        /// The launcher.
        launcher: String,
        /// How long that took.
        limit: Duration,
    },
    /// What the launcher starts does not speak as a worker does.
    NoWorker {
        /// The launcher.
        launcher: String,
    },
    /// It was killed because its job took too long.
    Late {
        /// The limit of the job.
        limit: Duration,
    },
    /// What it says cannot be read, or a job cannot be told.
    Talk(io::Error),
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkerError::Start(error) => write!(f, "the worker process cannot be started: {error}"),
            WorkerError::Version { program } => {
                write!(
                    f,
                    "the worker is version {program}, this is {}: install the same on both",
                    env!("CARGO_PKG_VERSION")
                )
            }
            WorkerError::Ended { status, doing } => write!(f, "the worker process ended while it {doing}: {status}"),
            WorkerError::Lost { launcher, status, doing } => write!(
                f,
                "the launcher `{launcher}` ended while the worker behind it {doing}: {status}\n  help: try `{launcher} tile doctor`; `tile` must be on the search path there"
            ),
            WorkerError::Silent { launcher, limit } => write!(
                f,
                "the launcher `{launcher}` was given up after {limit:?}: no worker has answered behind it\n  help: try `{launcher} tile --version`; if it has to wait for something there, {PATIENCE_VARIABLE}=600 waits for 600 seconds"
            ),
            WorkerError::NoWorker { launcher } => write!(
                f,
                "what the launcher `{launcher}` starts says something that no worker of this version says\n  help: `{launcher} tile --version` must print one line and nothing else, such as no greeting"
            ),
            WorkerError::Late { limit } => write!(f, "the run was given up after {limit:?}: it had not ended"),
            WorkerError::Talk(error) => write!(f, "cannot talk to the worker process: {error}"),
        }
    }
}

impl std::error::Error for WorkerError {}

impl Killer {
    /// Kills the worker; a job that runs there ends with [`WorkerError::Ended`].
    pub fn kill(&self) {
        let Killer { child, is_group } = self;
        let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
        // A worker that has ended already is as dead as it should be.
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
    /// Starts a worker: this very program with the argument `worker`.
    pub fn start() -> Result<Worker, WorkerError> {
        let mut command = this_program().map_err(WorkerError::Start)?;
        if std::env::var_os(TUNABLES).is_none() {
            command.env(TUNABLES, HUGE_PAGES);
        }
        Worker::start_with(command.arg("worker"))
    }

    /// Starts a worker with a command of the caller's.
    pub fn start_with(command: &mut Command) -> Result<Worker, WorkerError> {
        Worker::greeted(command, None)
    }

    /// Starts a worker with a launcher, which is called this and leads a group of processes.
    pub(super) fn start_behind(command: &mut Command, launcher: String) -> Result<Worker, WorkerError> {
        Worker::greeted(command, Some(launcher))
    }

    fn greeted(command: &mut Command, launcher: Option<String>) -> Result<Worker, WorkerError> {
        // It is no use to say that there is no such file if nobody is told which.
        let named = |error: io::Error| match &launcher {
            Some(launcher) => io::Error::new(error.kind(), format!("`{launcher}`: {error}")),
            None => error,
        };
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| WorkerError::Start(named(error)))?;
        let missing = || WorkerError::Start(io::Error::other("it has no standard input or output"));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Err(missing()) };
        let child = Arc::new(Mutex::new(child));
        let input = Arc::new(Mutex::new(input));
        let mut worker = Worker { child, launcher, input, output: BufReader::new(output) };
        let limit = patience();
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
            None => Err(worker.ended("started".to_string())),
        }
    }

    /// Whether it runs, as far as can be seen without talking to it.
    pub fn is_alive(&self) -> bool {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(child.try_wait(), Ok(None))
    }

    /// What kills this worker.
    pub fn killer(&self) -> Killer {
        Killer { child: self.child.clone(), is_group: self.launcher.is_some() }
    }

    /// Runs a job and tells what it prints as it prints it. Behind an error the worker is of no use any more.
    pub fn run(&mut self, job: &Job, events: impl FnMut(Event)) -> Result<Report, WorkerError> {
        let Some(limit) = job.timeout_ms.map(Duration::from_millis) else { return self.talk(job, events) };
        let deadline = Deadline::start(self.killer(), limit.saturating_add(GRACE));
        let outcome = self.talk(job, events);
        if deadline.has_killed() { Err(WorkerError::Late { limit }) } else { outcome }
    }

    /// What tells a run that is debugged, from another thread, what to do.
    pub fn commander(&self) -> Commander {
        Commander(self.input.clone())
    }

    fn request(&self, request: &Request) -> io::Result<()> {
        send(&mut *self.input.lock().unwrap_or_else(PoisonError::into_inner), request)
    }

    /// What the worker's machine can do.
    pub fn look(&mut self) -> Result<Machine, WorkerError> {
        let doing = || "looked at its machine".to_string();
        if self.request(&Request::Look).is_err() {
            return Err(self.ended(doing()));
        }
        match receive(&mut self.output) {
            Ok(Some(Event::Machine(machine))) => Ok(*machine),
            Ok(Some(_)) => Err(WorkerError::Talk(io::ErrorKind::InvalidData.into())),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(WorkerError::Talk(error)),
            _ => Err(self.ended(doing())),
        }
    }

    fn talk(&mut self, job: &Job, events: impl FnMut(Event)) -> Result<Report, WorkerError> {
        self.begin(job)?;
        self.follow(job, events)
    }

    /// Has it begin a job; what a [`Commander`] tells from now on is about this one. Then comes [`Worker::follow`].
    pub fn begin(&mut self, job: &Job) -> Result<(), WorkerError> {
        match self.request(&Request::Run(Box::new(job.clone()))) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(WorkerError::Talk(error)),
            Err(_) => Err(self.ended("read its job".to_string())),
            Ok(()) => Ok(()),
        }
    }

    /// Tells what a job that has begun prints as it prints it, until it is over.
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

    /// How a worker ended that has hung up. One that does not end is killed.
    fn ended(&mut self, doing: String) -> WorkerError {
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

/// Writes the report of a crash of the compiler, here, where the user is, and says where it is.
fn report_crash(report: &mut Report, job: &Job) {
    let Some(crash) = &report.crash else { return };
    if let Some(found) = report.findings.first_mut() {
        found.message += &format!("\n  note: {}", crash.report(&job.text));
        found.notes.push(crash.help(&job.path));
    }
}

/// What a worker does at the moment, as it has told.
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
            | Event::Elements(_) => {}
        }
    }
}

impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = &self.job.entry;
        let launch = self.job.launch.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
        match &self.stage {
            Stage::Preparing => write!(f, "made the buffers of `@{entry}`{launch}"),
            Stage::Running => {
                write!(f, "ran `@{entry}`{launch}")?;
                match self.progress {
                    Some((ended, blocks)) if blocks > 1 => write!(f, ", {ended} of {blocks} tile blocks done"),
                    _ => Ok(()),
                }
            }
            Stage::Comparing(range) => {
                let before = self.job.text.as_bytes().iter().take(range.start as usize);
                let line = 1 + before.filter(|&&byte| byte == b'\n').count();
                write!(f, "checked the expectation in line {line} of `@{entry}`{launch}")
            }
            Stage::Saving => write!(f, "made the files of the buffers of `@{entry}`{launch}"),
        }
    }
}

/// A terminal interrupts the worker and this program alike. Which of the two ends first is open, and one that has no time
/// left says nothing of the other's end.
fn await_interrupt(status: ExitStatus) {
    #[cfg(unix)]
    if matches!(std::os::unix::process::ExitStatusExt::signal(&status), Some(1 | 2 | 15)) {
        thread::sleep(SHUTDOWN_GRACE);
    }
    let _ = status;
}

/// Why a process may have ended like this.
fn likely_cause(status: ExitStatus) -> &'static str {
    const BUG: &str = "\n  help: this is a mistake of `tile` itself; please report it with the program";
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            9 => "\n  help: perhaps the machine ran out of memory, or somebody killed it",
            4 | 6 | 7 | 8 | 11 => BUG,
            _ => "",
        };
    }
    // What Rust's runtime says of a panic.
    if status.code() == Some(101) { BUG } else { "" }
}

/// How long a launcher may take to start a worker.
fn patience() -> Duration {
    let said = std::env::var(PATIENCE_VARIABLE).ok().and_then(|text| text.parse().ok());
    said.filter(|seconds| (0.0..1e9).contains(seconds)).map_or(TIMEOUT, Duration::from_secs_f64)
}

/// Kills a worker that keeps no time.
struct Deadline {
    alive: mpsc::Sender<()>,
    watch: JoinHandle<bool>,
}

impl Deadline {
    fn start(killer: Killer, after: Duration) -> Deadline {
        let (alive, over) = mpsc::channel::<()>();
        let watch = thread::spawn(move || {
            let is_late = over.recv_timeout(after) == Err(RecvTimeoutError::Timeout);
            if is_late {
                killer.kill();
            }
            is_late
        });
        Deadline { alive, watch }
    }

    /// Stops the watch. Says whether the worker had to be killed.
    fn has_killed(self) -> bool {
        drop(self.alive);
        self.watch.join().unwrap_or(false)
    }
}

/// The settings of the C library on Linux.
const TUNABLES: &str = "GLIBC_TUNABLES";
/// Kernels run through large buffers, which are found faster where the system keeps them in large pages.
const HUGE_PAGES: &str = "glibc.malloc.hugetlb=1";

/// A command that starts this program again.
fn this_program() -> io::Result<Command> {
    // A server runs for days; the program's file may have been replaced by a newer one meanwhile. Linux can start what
    // runs here all the same.
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

    /// A worker that says this and ends as a shell command says.
    fn worker(name: &str, says: &[u8], ends: &str) -> (Worker, PathBuf) {
        let path = std::env::temp_dir().join(format!("tile-worker-{}-{name}", std::process::id()));
        std::fs::File::create(&path).and_then(|mut file| file.write_all(says)).expect("it takes files");
        let command = format!("cat {}; head -c 5 > /dev/null; {ends}", path.display());
        let worker = Worker::start_with(Command::new("sh").args(["-c", &command])).expect("there is a shell");
        (worker, path)
    }

    /// What is said where a worker has told these events and ends like this.
    fn said(name: &str, events: &[Event], ends: &str) -> String {
        let mut says = Vec::new();
        let hello = Hello { protocol: VERSION, program: "x".to_string() };
        protocol::send(&mut says, &hello).expect("memory takes everything");
        events.iter().for_each(|event| protocol::send(&mut says, event).expect("memory takes everything"));
        let launch = Launch { name: Some("two".into()), grid: [4, 1, 1], args: vec![], expects: vec![], range: 0..0 };
        let (mut worker, path) = worker(name, &says, ends);
        let error = worker.run(&Job::new("one\ntwo\nthree", "k", launch), |_| {}).expect_err("it ends early");
        std::fs::remove_file(path).expect("it is there");
        error.to_string()
    }

    #[test]
    fn a_crash_is_told_with_what_the_worker_was_doing() {
        let bug = "\n  help: this is a mistake of `tile` itself; please report it with the program";
        let panicked = format!("exit status: 101{bug}");
        let running = [Event::Stage(Stage::Running), Event::Progress { ended: 1, blocks: 4 }];
        let comparing = [Event::Stage(Stage::Comparing(8..9))];
        for (name, events, ends, doing, how) in [
            ("a", &running[..0], "exit 101", "made the buffers of `@k` \"two\"", panicked.as_str()),
            ("b", &running[..], "exit 101", "ran `@k` \"two\", 1 of 4 tile blocks done", &panicked),
            ("c", &running[..1], "exit 3", "ran `@k` \"two\"", "exit status: 3"),
            ("d", &comparing[..], "exit 101", "checked the expectation in line 3 of `@k` \"two\"", &panicked),
        ] {
            assert_eq!(said(name, events, ends), format!("the worker process ended while it {doing}: {how}"));
        }
        let aborted = said("e", &running, "kill -ABRT $$");
        assert!(aborted.contains("signal: 6") && aborted.ends_with(bug), "{aborted}");
    }
}
