//! Times kernels: one, or several candidates in turns, so that all see the same changes of the machine.

mod agreement;
mod candidates;
mod client;
mod cpu;
mod gpu;
mod race;
mod runner;
mod work;

pub(super) use candidates::run;
pub(super) use work::TimedOn;

use super::protocol::Job;
use crate::cuda::bench::Bench;
use crate::cuda::resources::Resources;
use serde::{Deserialize, Serialize};

/// Candidates to be timed on the same arguments.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct BenchJob {
    /// The candidates. Their entries have the same parameters and their launches the same arguments; programs, grids
    /// and compiler options can differ. The first one is the reference: its files, target and limits apply to all, and
    /// the results of launches without expectations are compared with its results.
    pub candidates: Vec<Job>,
    /// How they are timed.
    pub sampling: Sampling,
}

/// How candidates are timed.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// The least number of samples.
    pub min_samples: u32,
    /// The greatest number of samples.
    pub max_samples: u32,
    /// The time for each candidate in seconds, including that for restoring its buffers.
    pub seconds: f64,
    /// Whether candidates that are certainly slower than the fastest one are dropped.
    pub drops_slower: bool,
}

impl Default for Sampling {
    /// For a single kernel.
    fn default() -> Sampling {
        // The interval of a median needs 6 samples for a confidence of 95 %.
        Sampling { min_samples: 6, max_samples: 1000, seconds: 1.0, drops_slower: false }
    }
}

/// The result of a measurement.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct BenchReport {
    /// What is known about each candidate.
    pub measured: Vec<Measured>,
    /// Whether the worker ends, because the driver of a GPU cannot be used in this process after a kernel failed.
    pub ends_worker: bool,
}

/// What is known about a candidate in the end.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Measured {
    /// How it went.
    pub outcome: Outcome,
    /// The resources of its compiled code, on a GPU.
    pub resources: Option<Resources>,
}

/// How the measurement of a candidate went.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Outcome {
    /// It was timed. The times are in the order of the samples: sample `i` of two candidates was taken in the same
    /// round.
    Timed {
        /// The times and what the kernel does in them.
        bench: Bench,
        /// Whether it was dropped because another candidate is certainly faster.
        dropped: bool,
    },
    /// Its compiled code is that of an earlier candidate, by number.
    Same(usize),
    /// It cannot be compiled, or needs something that the target does not support.
    Refused(String),
    /// It failed.
    Failed(String),
    /// Its results are wrong.
    Wrong(String),
    /// It was not timed: not yet, or because an earlier candidate broke the worker.
    NotRun,
}

/// The progress of a measurement.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum BenchEvent {
    /// The arguments are ready.
    Prepared,
    /// A candidate was compiled, or refused.
    Compiled(usize),
    /// What is known about each candidate before one runs: its resources, and the outcome of those that do not run.
    Ready(Vec<Measured>),
    /// A candidate is about to run for the first time.
    Running(usize),
    /// The results of a candidate are about to be checked.
    Checking(usize),
    /// The candidates are timed, and what they do is about to be counted.
    Timed,
    /// A candidate is about to be timed once more. Not sent for every run.
    Round {
        /// The number of finished rounds. In each, every remaining candidate is timed once.
        rounds: u32,
        /// The number of remaining candidates.
        left: usize,
        /// The lowest median time of a candidate in seconds, if one has been timed.
        seconds: Option<f64>,
    },
}
