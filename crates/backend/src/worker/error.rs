//! The reasons why a worker does not finish its job.

use std::fmt;
use std::io;
use std::time::Duration;

/// The variable with the default time limit for launchers to start a worker, in seconds.
pub(super) const CONNECT_TIMEOUT_VARIABLE: &str = "TILE_CONNECT_TIMEOUT";

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
        /// Whether the launcher returned the exit status of a worker that crashed.
        has_crashed: bool,
        /// The last lines that the launcher printed, if they were captured.
        output: Vec<String>,
    },
    /// The launcher did not start a worker in time. It was killed.
    Silent {
        /// The launcher.
        launcher: String,
        /// The time limit.
        limit: Duration,
        /// The last lines that the launcher printed, if they were captured.
        output: Vec<String>,
    },
    /// The program that the launcher started is not a worker.
    NoWorker {
        /// The launcher.
        launcher: String,
        /// The last lines that the launcher printed, if they were captured.
        output: Vec<String>,
    },
    /// The worker's machine cannot be used for the jobs, for this reason.
    Unsuitable(String),
    /// The worker was killed because its job took too long.
    Late {
        /// The limit of the job.
        limit: Duration,
    },
    /// The worker's messages cannot be read, or the job cannot be sent.
    Talk(io::Error),
}

impl WorkerError {
    /// Whether the machine or the connection is at fault rather than the job, so that the job can run on another
    /// worker.
    pub fn is_loss(&self) -> bool {
        matches!(self, WorkerError::Lost { has_crashed: false, .. })
    }

    /// Whether another attempt to start the worker would fail in the same way.
    pub fn is_permanent(&self) -> bool {
        matches!(
            self,
            WorkerError::Start(_)
                | WorkerError::Version { .. }
                | WorkerError::NoWorker { .. }
                | WorkerError::Unsuitable(_)
        )
    }
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
            WorkerError::Lost { launcher, status, doing, output, .. } => {
                write!(f, "the launcher `{launcher}` ended while its worker was {doing}: {status}")?;
                quote(f, output)?;
                write!(f, "\n  help: try `{launcher} tile doctor`; `tile` must be on the `PATH` there")
            }
            WorkerError::Silent { launcher, limit, output } => {
                write!(f, "the launcher `{launcher}` timed out after {limit:?}: no worker has answered")?;
                quote(f, output)?;
                if launcher.split(' ').any(|word| word == "srun")
                    && !launcher.contains(" -u")
                    && !launcher.contains(" --unbuffered")
                {
                    // Without it, srun passes on only complete lines.
                    write!(f, "\n  help: `srun` needs `--unbuffered`")?;
                }
                write!(
                    f,
                    "\n  help: try `{launcher} tile --version`; to wait longer, use `--start-timeout`, or set {CONNECT_TIMEOUT_VARIABLE}=600 (seconds)"
                )
            }
            WorkerError::NoWorker { launcher, output } => {
                write!(
                    f,
                    "the program started by the launcher `{launcher}` does not answer as a worker of this version"
                )?;
                quote(f, output)?;
                write!(f, "\n  help: `{launcher} tile --version` must print exactly one line, without a greeting")
            }
            WorkerError::Unsuitable(why) => f.write_str(why),
            WorkerError::Late { limit } => write!(f, "the run timed out after {limit:?}"),
            WorkerError::Talk(error) => write!(f, "cannot communicate with the worker process: {error}"),
        }
    }
}

/// Writes the lines of a launcher, indented.
fn quote(f: &mut fmt::Formatter<'_>, output: &[String]) -> fmt::Result {
    output.iter().try_for_each(|line| write!(f, "\n  | {line}"))
}

impl std::error::Error for WorkerError {}
