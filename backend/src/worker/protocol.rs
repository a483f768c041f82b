//! The messages between a worker and its caller, and how they are framed.

use super::compare::Compared;
use super::profile::OpCost;
use super::trace::Traced;
use crate::cuda::bench::Bench;
use crate::cuda::compiler::{self, Crash, Library};
use crate::cuda::machine::Machine;
use crate::cuda::notes::Wanted;
use crate::debug::{self, Debugging, Stopped};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::str::FromStr;
use tile_launch::Launch;
use tile_launch::expect::Differences;

/// The version of the protocol. Both sides must have the same.
pub const VERSION: u32 = 11;

/// No message is larger: a length beyond it means that the stream is no worker's.
const MAX_MESSAGE: u32 = 1 << 30;

/// What the worker says first.
#[derive(Serialize, Deserialize, Debug)]
pub struct Hello {
    /// The protocol's version.
    pub protocol: u32,
    /// The program's version.
    pub program: String,
}

/// What a worker is asked for.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub enum Request {
    /// A run.
    Run(Box<Job>),
    /// What its machine can do.
    Look,
    /// Something about the run that is going on, which is debugged.
    Debug(debug::Command),
}

/// One run. Everything that the run needs travels with it.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct Job {
    /// The program's text.
    pub text: String,
    /// What its file is called where code says where it comes from.
    pub path: String,
    /// What to run on.
    pub target: Target,
    /// The entry's name, without `@`.
    pub entry: String,
    /// What its parameters get and what is expected.
    pub launch: Launch,
    /// The files that the launch names, by the name that it uses.
    pub files: Vec<(String, Vec<u8>)>,
    /// The parameters whose buffers the report returns as `.npy` files.
    pub save: Vec<String>,
    /// Whether what the language leaves undefined is looked for everywhere.
    pub sanitize: bool,
    /// The seed of another order of what nothing orders; `None` for the order of the text.
    pub schedule: Option<u64>,
    /// After how many milliseconds the run is given up.
    pub timeout_ms: Option<u64>,
    /// How many bytes the buffers of the run may take together.
    pub max_bytes: u64,
    /// What is told beside the results.
    pub watching: Watching,
    /// How code for a GPU is made.
    pub compile: compiler::Options,
    /// The tile libraries that code for a GPU is linked with.
    pub libraries: Vec<Library>,
    /// Which of the compiler's remarks are told.
    pub remarks: Option<Wanted>,
    /// Whether the CPU engine runs it too, and the results are compared.
    pub compare: bool,
    /// How often it is run once more, to tell how long it takes.
    pub bench: Option<u32>,
}

/// What is told of a run beside its results.
#[derive(Serialize, Deserialize, Debug, Clone, Default)]
pub struct Watching {
    /// The names of values that are told of whenever they are computed, with their `%`.
    pub trace: Vec<String>,
    /// Whether all elements of a large tile are told.
    pub whole: bool,
    /// The only tile block whose values are told of.
    pub block: Option<[u32; 3]>,
    /// Whether time and bytes are counted by op.
    pub profile: bool,
    /// How the run is debugged, if it is; then it stops in `block` alone.
    pub debug: Option<Debugging>,
}

impl Job {
    /// How many bytes the buffers of a run may take together where nobody says otherwise.
    pub const MAX_BYTES: u64 = 8 << 30;

    /// A run of an entry of this program on the CPU engine, without files, limits of time, and all that is extra.
    pub fn new(text: impl Into<String>, entry: impl Into<String>, launch: Launch) -> Job {
        Job {
            text: text.into(),
            path: "program.tile".to_string(),
            target: Target::Cpu,
            entry: entry.into(),
            launch,
            files: Vec::new(),
            save: Vec::new(),
            sanitize: false,
            schedule: None,
            timeout_ms: None,
            max_bytes: Job::MAX_BYTES,
            watching: Watching::default(),
            compile: compiler::Options::default(),
            libraries: Vec::new(),
            remarks: None,
            compare: false,
            bench: None,
        }
    }
}

/// What a worker does at the moment.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// It makes the buffers; with this it begins, and does not say so.
    Preparing,
    /// It runs the kernel.
    Running,
    /// It checks an expectation, which stands here in the program's text.
    Comparing(Range<u32>),
    /// It makes the files of the buffers that are saved.
    Saving,
}

/// What runs a kernel.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The CPU engine.
    #[default]
    Cpu,
    /// The GPU with this number.
    Cuda(usize),
}

impl FromStr for Target {
    type Err = String;

    /// `cpu`, `cuda` or `cuda:1`.
    fn from_str(name: &str) -> Result<Target, String> {
        let number = match name.split_once(':') {
            None if name == "cpu" => return Ok(Target::Cpu),
            None if name == "cuda" => Some(0),
            Some(("cuda", number)) => number.parse().ok(),
            _ => None,
        };
        number
            .map(Target::Cuda)
            .ok_or_else(|| "the targets are `cpu`, `cuda` and `cuda:N`, the GPU with the number N".to_string())
    }
}

/// What the worker says while a job runs and when it is over.
#[derive(Serialize, Deserialize, Debug)]
pub enum Event {
    /// A tile block has printed something.
    Printed {
        /// The printing op's name, in bytes of the program's text.
        op: Range<u32>,
        /// The tile block, where that is known.
        block: Option<[u32; 3]>,
        /// What it printed.
        text: Vec<u8>,
    },
    /// A value that is traced has been computed.
    Traced(Traced),
    /// The job has got here.
    Stage(Stage),
    /// So many tile blocks have ended; told now and then.
    Progress {
        /// How many have ended.
        ended: u64,
        /// How many there are.
        blocks: u64,
    },
    /// The job is over.
    Done(Box<Report>),
    /// What the machine can do.
    Machine(Box<Machine>),
    /// A run that is debugged has stopped.
    Stopped(Box<Stopped>),
    /// The elements that were asked for, as people read them.
    Elements(Vec<String>),
}

/// What a job came to.
#[derive(Serialize, Deserialize, Debug, Default)]
pub struct Report {
    /// What the run found; it stopped there.
    pub findings: Vec<ReportedFinding>,
    /// Each expectation of the launch, in its order.
    pub verdicts: Vec<Verdict>,
    /// The saved buffers, as `.npy` files by parameter.
    pub saved: Vec<(String, Vec<u8>)>,
    /// What each op has cost, the most expensive first, if that was asked for.
    pub profile: Vec<OpCost>,
    /// How many tile blocks ran.
    pub blocks: u64,
    /// How long the kernel ran, in seconds.
    pub seconds: f64,
    /// How long the job has waited for the compiler and the driver of a GPU, or for the engine: all that is no work of
    /// the worker's own.
    pub waited: f64,
    /// What the compiler of a GPU said of the program that it compiled.
    pub notes: Vec<ReportedFinding>,
    /// How each buffer differs from what the CPU engine makes of it, if that was asked for.
    pub compared: Vec<Compared>,
    /// How long the kernel takes, if that was asked for.
    pub bench: Option<Bench>,
    /// A crash of the compiler of a GPU; the caller makes a report of it.
    pub crash: Option<Box<Crash>>,
    /// Why the launch has not run although nothing is wrong with it: what the target lacks.
    pub skipped: Option<String>,
    /// Whether the worker ends: after a kernel that failed, the driver of a GPU does nothing more for its process.
    pub ends_worker: bool,
}

/// A finding of a run.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct ReportedFinding {
    /// The code of its page.
    pub code: String,
    /// What happened.
    pub message: String,
    /// The op's name or the directive, in bytes of the program's text; `None` where the machine or the command is at fault.
    pub range: Option<Range<u32>>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// Other ops that have to do with it, in bytes of the program's text, and what they do.
    pub others: Vec<(Range<u32>, String)>,
}

/// Whether an expectation was met.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct Verdict {
    /// Whether it was.
    pub passed: bool,
    /// One line if it was, several with the differences if not.
    pub summary: String,
    /// The expectation, in bytes of the program's text.
    pub range: Range<u32>,
    /// How far an output that was compared is off, if it is.
    pub differences: Option<Differences>,
}

impl ReportedFinding {
    /// Where to show it, in bytes of the program's text: at the start if it has no place there.
    pub fn shown_range(&self) -> Range<u32> {
        self.range.clone().unwrap_or(0..0)
    }
}

impl Report {
    /// The problem of the machine or the command that prevented the launch.
    pub fn setup_problem(&self) -> Option<&ReportedFinding> {
        self.findings.iter().find(|found| found.range.is_none())
    }

    /// Whether the worker can take another job after this one.
    pub fn leaves_worker(&self) -> bool {
        !self.ends_worker
    }

    /// Whether the run found nothing that was not expected, met every expectation, and left what the CPU engine leaves.
    pub fn passed(&self) -> bool {
        let failed = self.verdicts.iter().any(|verdict| !verdict.passed);
        !failed
            && self.skipped.is_none()
            && self.findings.is_empty()
            && self.compared.iter().all(|compared| compared.passed)
    }
}

/// Writes one message: its length as four bytes, the least first, then itself. Of one that is too large nothing is
/// written: the error's kind is [`io::ErrorKind::InvalidInput`].
pub fn send(out: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_MESSAGE);
    let too_large = || io::Error::new(io::ErrorKind::InvalidInput, "what it is to be told is larger than 1 GiB");
    let length = length.ok_or_else(too_large)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

/// Reads one message; `None` at the end of the stream.
pub fn receive<T: DeserializeOwned>(input: &mut dyn Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match input.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_MESSAGE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no worker: its first bytes are no message"));
    }
    // Grows with what arrives, so that a wrong length allocates nothing.
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
    fn a_message_comes_back_as_it_went() {
        let mut stream = Vec::new();
        send(&mut stream, &Hello { protocol: VERSION, program: "x".to_string() }).expect("memory takes everything");
        let mut input = stream.as_slice();
        let hello: Hello = receive(&mut input).expect("it is whole").expect("it is there");
        assert_eq!((hello.protocol, hello.program.as_str()), (VERSION, "x"));
        assert!(receive::<Hello>(&mut input).expect("the end is no error").is_none());
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        assert!(receive::<Hello>(&mut &b"Welcome to gpubox!"[..]).is_err());
        assert!(receive::<Hello>(&mut &[9, 0, 0, 0, 1][..]).is_err());
    }
}
