//! How a launch runs, and what is observed.

use crate::contents::Viewed;
use serde::{Deserialize, Serialize};

/// How a launch runs.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Whether the sanitizer is enabled.
    pub sanitize: bool,
    /// The seed for the order of unordered accesses; `None` for the order of the text.
    pub schedule: Option<u64>,
    /// The time limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The maximum total size of the buffers in bytes.
    pub max_bytes: u64,
    /// Which observations are reported besides the results.
    pub watching: &'a Watching,
}

/// The observations of a run that are reported besides its results.
#[derive(Serialize, Deserialize, Debug, Clone, Default)]
pub struct Watching {
    /// The names of traced values, with `%`.
    pub trace: Vec<String>,
    /// Whether all elements of large tiles are reported.
    pub whole: bool,
    /// The only tile block that is observed, if not all. A debugger stops only there.
    pub block: Option<[u32; 3]>,
    /// Whether to measure time and bytes of each op.
    pub profile: bool,
    /// Whether what each value held is summarized.
    pub values: bool,
    /// Whether the contents of the buffers before and after the run are summarized.
    pub buffers: bool,
    /// The ops whose accesses to buffers are reported, by their numbers in the entry.
    pub accesses: Vec<u32>,
    /// What to report the whole contents of.
    pub view: Option<Viewed>,
}
