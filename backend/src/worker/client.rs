//! The caller's side: starting a worker, giving it jobs, ending it.

use super::protocol::{Event, Hello, Job, Report, VERSION, receive, send};
use std::fmt;
use std::io::{self, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// A running worker. Dropped, it is killed.
pub struct Worker {
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// Ends a worker from another thread.
#[derive(Clone)]
pub struct Killer(Arc<Mutex<Child>>);

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
        /// How it ended.
        status: String,
    },
    /// What it says cannot be read.
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
            WorkerError::Ended { status } => write!(f, "the worker process ended while the kernel ran ({status})"),
            WorkerError::Talk(error) => write!(f, "cannot talk to the worker process: {error}"),
        }
    }
}

impl std::error::Error for WorkerError {}

impl Killer {
    /// Kills the worker; a job that runs there ends with [`WorkerError::Ended`].
    pub fn kill(&self) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A worker that has ended already is as dead as it should be.
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Worker {
    /// Starts a worker: this very program with the argument `worker`.
    pub fn start() -> Result<Worker, WorkerError> {
        let program = std::env::current_exe().map_err(WorkerError::Start)?;
        Worker::start_with(Command::new(program).arg("worker"))
    }

    /// Starts a worker with a command of the caller's.
    pub fn start_with(command: &mut Command) -> Result<Worker, WorkerError> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(WorkerError::Start)?;
        let missing = || WorkerError::Start(io::Error::other("it has no standard input or output"));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Err(missing()) };
        let child = Arc::new(Mutex::new(child));
        let mut worker = Worker { child, input, output: BufReader::new(output) };
        let hello: Option<Hello> = receive(&mut worker.output).map_err(WorkerError::Talk)?;
        match hello {
            Some(hello) if hello.protocol == VERSION => Ok(worker),
            Some(hello) => Err(WorkerError::Version { program: hello.program }),
            None => Err(worker.ended()),
        }
    }

    /// What kills this worker.
    pub fn killer(&self) -> Killer {
        Killer(self.child.clone())
    }

    /// Runs a job and tells what it prints as it prints it. Behind an error the worker is of no use any more.
    pub fn run(&mut self, job: &Job, mut tell: impl FnMut(Event)) -> Result<Report, WorkerError> {
        if send(&mut self.input, job).is_err() {
            return Err(self.ended());
        }
        loop {
            match receive(&mut self.output) {
                Ok(Some(Event::Done(report))) => return Ok(*report),
                Ok(Some(event)) => tell(event),
                Ok(None) => return Err(self.ended()),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(self.ended()),
                Err(error) => return Err(WorkerError::Talk(error)),
            }
        }
    }

    fn ended(&mut self) -> WorkerError {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let status = match child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        WorkerError::Ended { status }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.killer().kill();
    }
}
