//! A run on a target, as a client requests it.

use crate::cuda::compiler::{self, Library};
use crate::cuda::notes::Wanted;
use crate::debug::Debugging;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tile_launch::Launch;
use tile_runner::Watching;

/// A run, with everything that it needs.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct Job {
    /// The program's text.
    pub text: String,
    /// The path of the program in debug information.
    pub path: String,
    /// The target.
    pub target: Target,
    /// The entry's name, without `@`.
    pub entry: String,
    /// The arguments and expectations.
    pub launch: Launch,
    /// The files of the launch: their names in the launch, and their contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The parameters whose buffers are returned as `.npy` files.
    pub save: Vec<String>,
    /// Whether the sanitizer is enabled.
    pub sanitize: bool,
    /// The seed for the order of unordered accesses; `None` for the order of the text.
    pub schedule: Option<u64>,
    /// The time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The maximum total size of the buffers in bytes.
    pub max_bytes: u64,
    /// Which observations are reported besides the results.
    pub watching: Watching,
    /// The settings of a debugger, if any. It stops only in the watched block.
    pub debug: Option<Debugging>,
    /// The compiler options for a GPU.
    pub compile: compiler::Options,
    /// The tile libraries to link with, on a GPU.
    pub libraries: Vec<Library>,
    /// Which of the compiler's remarks are reported.
    pub remarks: Option<Wanted>,
    /// Whether to compare the results with those of the CPU engine.
    pub compare: bool,
    /// The number of additional timed runs.
    pub bench: Option<u32>,
}

impl Job {
    /// The default maximum total size of the buffers in bytes.
    pub const MAX_BYTES: u64 = 8 << 30;

    /// A run of an entry on the CPU engine, with no files, no time limit and default options.
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
            debug: None,
            compile: compiler::Options::default(),
            libraries: Vec::new(),
            remarks: None,
            compare: false,
            bench: None,
        }
    }
}

/// A target, which runs kernels.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The CPU engine.
    #[default]
    Cpu,
    /// The GPU with this number.
    Cuda(usize),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu => f.write_str("cpu"),
            Target::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl FromStr for Target {
    type Err = String;

    /// Parses `cpu`, `cuda` or `cuda:1`.
    fn from_str(name: &str) -> Result<Target, String> {
        let number = match name.split_once(':') {
            None if name == "cpu" => return Ok(Target::Cpu),
            None if name == "cuda" => Some(0),
            Some(("cuda", number)) => number.parse().ok(),
            _ => None,
        };
        number.map(Target::Cuda).ok_or_else(|| "expected `cpu`, `cuda`, or `cuda:N` for GPU number N".to_string())
    }
}
