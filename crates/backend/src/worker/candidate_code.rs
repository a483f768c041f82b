//! The code of candidates for a GPU. It has no source locations, so that candidates that differ only in hints without
//! effect have the same code.

use super::gpu::compile::NoCode;
use super::protocol::Job;
use super::run::JobRun;
use crate::cuda::compiler::{CompileError, Compiler, Options};
use std::sync::Arc;
use tile_analysis::db::{Database, File};
use tile_analysis::program::Program;
use tile_clock::Instant;
use tile_launch::LaunchError;
use tile_runner::load;

/// The code of a candidate (a cubin), or why it cannot be compiled.
pub(super) type Cubin = Result<Vec<u8>, String>;

/// A candidate for the compiler.
pub(super) struct Encoded {
    bytes: Vec<u8>,
    options: Options,
}

impl Encoded {
    /// Encodes the program of a candidate. The inner error is that of the candidate, the outer one is about the
    /// compiler.
    pub(super) fn of(
        run: &JobRun<'_>,
        compiler: &Compiler,
        gpu: &str,
    ) -> Result<Result<Encoded, String>, Box<LaunchError>> {
        Ok(match run.encoded(compiler, None, gpu)? {
            Ok(bytes) => Ok(Encoded { bytes, options: Options { line_info: false, ..run.job.compile } }),
            Err(NoCode::Blamed { found, .. }) => {
                Err(found.first().map_or_else(|| "it cannot be compiled".to_string(), |first| first.message.clone()))
            }
            Err(NoCode::Crashed(crash)) => Err(crash.to_string()),
        })
    }

    /// Compiles the candidate.
    pub(super) fn compiled(&self, compiler: &Compiler, gpu: &str) -> Cubin {
        compiler.compile(&self.bytes, gpu, &self.options).map(|code| code.cubin).map_err(|error| match error {
            CompileError::Refused { output } => first_line(&output),
            error => error.to_string(),
        })
    }
}

fn first_line(output: &str) -> String {
    output.lines().find(|line| !line.trim().is_empty()).unwrap_or("the compiler gives no reason").trim().to_string()
}

/// Compiles the entry of a job as a candidate, without running it.
pub fn cubin(job: &Job, compiler: &Compiler, gpu: &str) -> Cubin {
    let db = Database::default();
    let file = File::new(&db, Arc::from(job.text.as_str()), load::options());
    let program = Program::of(&db, file);
    let module = program.module();
    let found = load::entry(&db, file, &job.entry).ok_or_else(|| load::unknown_entry(&job.entry).message)?;
    let run = JobRun::new(job, &program, &module, found, Instant::now());
    Encoded::of(&run, compiler, gpu).map_err(|error| error.message)??.compiled(compiler, gpu)
}
