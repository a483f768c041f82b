//! Starting workers: the process, and the wait for its first message.

use super::client::Worker;
use super::error::{CONNECT_TIMEOUT_VARIABLE, WorkerError};
use super::killer::Killer;
use super::launcher_output::LauncherOutput;
use super::protocol::{Hello, VERSION, receive_hello};
use super::running_launcher::RunningLauncher;
use crate::environment;
use std::io::{self, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The default time limit for a launcher to start a worker.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where the standard error of a launcher goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stderr {
    /// To the standard error of this program.
    Inherited,
    /// To the messages about the worker.
    Captured,
}

/// A worker that has not answered yet. It is killed when dropped.
pub(super) struct Starting(Worker);

impl Starting {
    /// Starts a worker on this machine: this program with these arguments. It does not receive the whole environment.
    pub(super) fn local(arguments: &[&str]) -> Result<Starting, WorkerError> {
        let mut command = this_program().map_err(WorkerError::Start)?;
        environment::restrict(&mut command);
        if std::env::var_os(TUNABLES).is_none() {
            command.env(TUNABLES, HUGE_PAGES);
        }
        Starting::spawn(command.args(arguments), None, Stderr::Inherited)
    }

    /// Starts the process of a worker. A launcher, given by its name and time limit, must lead a process group.
    pub(super) fn spawn(
        command: &mut Command,
        launcher: Option<(String, Option<Duration>)>,
        stderr: Stderr,
    ) -> Result<Starting, WorkerError> {
        // The system's error does not name the program.
        let named = |error: io::Error| match &launcher {
            Some((launcher, _)) => io::Error::new(error.kind(), format!("`{launcher}`: {error}")),
            None => error,
        };
        if launcher.is_some() && stderr == Stderr::Captured {
            command.stderr(Stdio::piped());
        }
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| WorkerError::Start(named(error)))?;
        let missing = || WorkerError::Start(io::Error::other("the process has no standard input or output"));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Err(missing()) };
        let lines = child.stderr.take().map(LauncherOutput::read).unwrap_or_else(LauncherOutput::ended);
        let launcher = launcher.map(|(name, limit)| {
            let limit = limit.unwrap_or_else(default_timeout);
            RunningLauncher { name, limit, output: lines }
        });
        Ok(Starting(Worker {
            child: Arc::new(Mutex::new(child)),
            launcher,
            input: Arc::new(Mutex::new(Some(input))),
            output: BufReader::new(output),
            has_answered: false,
        }))
    }

    /// A handle that kills the process.
    pub(super) fn killer(&self) -> Killer {
        self.0.killer()
    }

    /// Waits for the first message. If a launcher takes long, calls `waiting` with the last line that it printed, and
    /// again whenever it has printed another one.
    pub(super) fn wait(self, waiting: impl FnMut(Option<&str>) + Send) -> Result<Worker, WorkerError> {
        let Starting(mut worker) = self;
        let killer = worker.killer();
        let Worker { launcher, output, .. } = &mut worker;
        let (hello, is_late) = match launcher {
            None => (receive_hello(output), false),
            Some(launcher) => thread::scope(|scope| {
                let (alive, over) = mpsc::channel::<()>();
                let watch = scope.spawn(move || launcher.watch(&over, &killer, waiting));
                let hello = receive_hello(output);
                drop(alive);
                (hello, watch.join().unwrap_or(false))
            }),
        };
        let hello: Option<Hello> = match (hello, &worker.launcher) {
            (_, Some(launcher)) if is_late => return Err(launcher.silent()),
            (Err(error), Some(_)) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            (Err(_), Some(launcher)) => {
                worker.killer().kill();
                return Err(launcher.no_worker());
            }
            (hello, _) => hello.map_err(WorkerError::Talk)?,
        };
        match hello {
            Some(hello) if hello.protocol == VERSION => {
                worker.has_answered = true;
                Ok(worker)
            }
            Some(hello) => Err(WorkerError::Version { program: hello.program }),
            None => Err(worker.ended("starting".to_string())),
        }
    }
}

impl Worker {
    /// Starts a worker with this command.
    pub fn start_with(command: &mut Command) -> Result<Worker, WorkerError> {
        Starting::spawn(command, None, Stderr::Inherited)?.wait(|_| {})
    }
}

/// The time limit for launchers that have none of their own.
pub(super) fn default_timeout() -> Duration {
    let seconds = std::env::var(CONNECT_TIMEOUT_VARIABLE).ok().and_then(|text| text.parse().ok());
    seconds.filter(|seconds| (0.0..1e9).contains(seconds)).map_or(TIMEOUT, Duration::from_secs_f64)
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
