//! A job with its lowered program.

use super::protocol::Job;
use super::system::WorkerSystem;
use std::ops::Deref;
use tile_analysis::ir::Module;
use tile_analysis::lower::Lowered;
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_runner::{Run, Settings};

/// A job with its lowered program.
#[derive(Clone, Copy)]
pub(super) struct JobRun<'a> {
    pub(super) job: &'a Job,
    run: Run<'a>,
}

impl<'a> JobRun<'a> {
    /// `entry`: the launched entry and its offset; `began`: the start of the job.
    pub(super) fn new(
        job: &'a Job,
        program: &'a Program<'a>,
        module: &'a Module,
        (start, entry): (u32, &'a Lowered),
        began: Instant,
    ) -> JobRun<'a> {
        let settings = Settings {
            sanitize: job.sanitize,
            schedule: job.schedule,
            timeout_ms: job.timeout_ms,
            max_bytes: job.max_bytes,
            watching: &job.watching,
        };
        let run = Run {
            text: &job.text,
            program,
            module,
            entry: &entry.body,
            spans: &entry.spans,
            start,
            launch: &job.launch,
            files: &job.files,
            settings,
            system: &WorkerSystem,
            began,
        };
        JobRun { job, run }
    }
}

impl<'a> Deref for JobRun<'a> {
    type Target = Run<'a>;

    fn deref(&self) -> &Run<'a> {
        &self.run
    }
}
