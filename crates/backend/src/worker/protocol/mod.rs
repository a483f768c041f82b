//! The messages between a worker and its client, and their framing.

mod job;

pub use job::{Job, Target};
pub use tile_runner::{ReportedFinding, Stage, Verdict, Watching};

use super::bench::{BenchEvent, BenchJob, BenchReport};
use super::compare::Compared;
use super::error::WorkerError;
use crate::cuda::bench::Bench;
use crate::cuda::compiler::Crash;
use crate::cuda::machine::Machine;
use crate::debug::{self, Item, Stopped};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};
use std::ops::Range;
use tile_engine::findings::DID_NOT_FINISH;
use tile_runner::accessed::Accessed;
use tile_runner::contents::Contents;
use tile_runner::profile::OpCost;
use tile_runner::recorded::{RecordedBuffer, RecordedValue};
use tile_runner::trace::Traced;

/// The version of the protocol. Both sides must have the same version.
pub const VERSION: u32 = 18;

/// The maximum size of a message. A larger length means that the other side is not a worker.
const MAX_MESSAGE: u32 = 1 << 30;

/// The maximum size of the first message. Four printable bytes are larger.
const MAX_HELLO: u32 = 1 << 10;

/// The first message of a worker.
#[derive(Serialize, Deserialize, Debug)]
pub struct Hello {
    /// The protocol's version.
    pub protocol: u32,
    /// The program's version.
    pub program: String,
}

/// A request to a worker.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub enum Request {
    /// Run a job.
    Run(Box<Job>),
    /// Time candidates.
    Bench(Box<BenchJob>),
    /// Inspect the machine.
    Look,
    /// A debugger command for the current run.
    Debug(debug::Command),
}

/// A message of the worker during and after a job.
#[derive(Serialize, Deserialize, Debug)]
pub enum Event {
    /// A tile block printed text.
    Printed {
        /// The printing op's name, in bytes of the program's text.
        op: Range<u32>,
        /// The tile block, if known.
        block: Option<[u32; 3]>,
        /// The printed text.
        text: Vec<u8>,
    },
    /// A traced value was computed.
    Traced(Traced),
    /// An op accessed a buffer.
    Accessed(Accessed),
    /// The contents that the job views.
    Contents(Box<Contents>),
    /// The job has reached a stage.
    Stage(Stage),
    /// The number of finished tile blocks, sent at intervals.
    Progress {
        /// The number of finished tile blocks.
        ended: u64,
        /// The number of all tile blocks.
        blocks: u64,
    },
    /// The job is over.
    Done(Box<Report>),
    /// A measurement has progressed.
    Bench(BenchEvent),
    /// The measurement is over. The error is about the machine or the arguments.
    Benched(Result<BenchReport, String>),
    /// The GPUs and tools of the machine.
    Machine(Box<Machine>),
    /// The run stopped in the debugger.
    Stopped(Box<Stopped>),
    /// A breakpoint wrote a message.
    Logged {
        /// The op, by number.
        op: u32,
        /// The message.
        text: String,
    },
    /// The answer to the debugger's question with this number.
    Answer(u64, Result<Vec<Item>, String>),
}

impl From<tile_runner::Event> for Event {
    fn from(event: tile_runner::Event) -> Event {
        match event {
            tile_runner::Event::Printed { op, block, text } => Event::Printed { op, block: Some(block), text },
            tile_runner::Event::Traced(traced) => Event::Traced(traced),
            tile_runner::Event::Accessed(accessed) => Event::Accessed(accessed),
            tile_runner::Event::Contents(contents) => Event::Contents(contents),
            tile_runner::Event::Stage(stage) => Event::Stage(stage),
        }
    }
}

/// The result of a job.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Report {
    /// The findings that ended the run.
    pub findings: Vec<ReportedFinding>,
    /// The results of the launch's expectations, in order.
    pub verdicts: Vec<Verdict>,
    /// The saved buffers: the names of the parameters, and `.npy` files.
    pub saved: Vec<(String, Vec<u8>)>,
    /// The cost of each op, most expensive first, if requested.
    pub profile: Vec<OpCost>,
    /// What each value held, in the order of the text, if requested.
    pub values: Vec<RecordedValue>,
    /// The contents of the buffers before and after the run, if requested.
    pub buffers: Vec<RecordedBuffer>,
    /// The number of tile blocks that ran.
    pub blocks: u64,
    /// The time that the kernel ran, in seconds.
    pub seconds: f64,
    /// The time that the job spent in the compiler and the driver of a GPU, or in the engine, in seconds. The rest is
    /// overhead of the worker.
    pub waited: f64,
    /// Warnings and remarks of the GPU's compiler.
    pub notes: Vec<ReportedFinding>,
    /// The comparison of each buffer with the CPU engine, if requested.
    pub compared: Vec<Compared>,
    /// The measured throughput, if requested.
    pub bench: Option<Bench>,
    /// A crash of the GPU's compiler. The client writes a report of it.
    pub crash: Option<Box<Crash>>,
    /// Why a valid launch was skipped: it needs something that the target does not support.
    pub skipped: Option<String>,
    /// Whether the worker ends, because the driver of a GPU cannot be used in this process after a kernel failed.
    pub ends_worker: bool,
}

impl Report {
    /// The report of a run whose worker was killed after the time limit, with this error. `range` is where to show it,
    /// in bytes of the program's text.
    pub fn late(range: Range<u32>, error: &WorkerError) -> Report {
        let (code, message) = (DID_NOT_FINISH.code.to_string(), error.to_string());
        let found = ReportedFinding { code, message, range: Some(range), notes: Vec::new(), others: Vec::new() };
        Report { findings: vec![found], ends_worker: true, ..Report::default() }
    }

    /// The finding without a location that prevented the launch, such as a missing GPU or option.
    pub fn setup_problem(&self) -> Option<&ReportedFinding> {
        self.findings.iter().find(|found| found.range.is_none())
    }

    /// Whether the run was stopped at its time limit.
    pub fn did_not_finish(&self) -> bool {
        self.findings.iter().any(|found| found.code == DID_NOT_FINISH.code)
    }

    /// Whether the worker can take another job after this one.
    pub fn is_worker_usable(&self) -> bool {
        !self.ends_worker
    }

    /// Whether the run met all expectations, has no unexpected findings, and matches the CPU engine.
    pub fn passed(&self) -> bool {
        let failed = self.verdicts.iter().any(|verdict| !verdict.passed);
        !failed
            && self.skipped.is_none()
            && self.findings.is_empty()
            && self.compared.iter().all(|compared| compared.passed)
    }
}

/// Writes a message: its length as four little-endian bytes, then its content. Writes nothing if the message is too
/// large, and returns an error of kind [`io::ErrorKind::InvalidInput`].
pub fn send(out: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_MESSAGE);
    let too_large = || io::Error::new(io::ErrorKind::InvalidInput, "the message is larger than 1 GiB");
    let length = length.ok_or_else(too_large)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads a message; `None` at the end of the stream.
pub fn receive<T: DeserializeOwned>(input: &mut dyn Read) -> io::Result<Option<T>> {
    receive_up_to(MAX_MESSAGE, input)
}

/// Reads the first message of a worker. A launcher can print other text, whose first bytes are not a plausible length.
pub(super) fn receive_hello(input: &mut dyn Read) -> io::Result<Option<Hello>> {
    receive_up_to(MAX_HELLO, input)
}

fn receive_up_to<T: DeserializeOwned>(limit: u32, input: &mut dyn Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > limit {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a message of a worker"));
    }
    // Grows as data arrives, so that a wrong length does not allocate memory.
    let mut bytes = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&bytes).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip() {
        let mut stream = Vec::new();
        send(&mut stream, &Hello { protocol: VERSION, program: "x".to_string() }).expect("a vector accepts all bytes");
        let mut input = stream.as_slice();
        let hello: Hello = receive(&mut input).expect("the message is complete").expect("the stream has a message");
        assert_eq!((hello.protocol, hello.program.as_str()), (VERSION, "x"));
        assert!(receive::<Hello>(&mut input).expect("the end of the stream is not an error").is_none());
    }

    #[test]
    fn other_bytes_are_an_error() {
        assert!(receive::<Hello>(&mut &b"Welcome to gpubox!"[..]).is_err());
        assert!(receive::<Hello>(&mut &[9, 0, 0, 0, 1][..]).is_err());
    }
}
