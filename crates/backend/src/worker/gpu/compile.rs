//! Compiles the launched entry.

use super::super::protocol::ReportedFinding;
use super::super::run::JobRun;
use crate::cuda::compiler::{Code, CompileError, Compiler, Crash};
use crate::cuda::notes::{Origin, Wanted};
use crate::cuda::prints;
use std::fmt::Display;
use std::time::{Duration, Instant};
use tile_analysis::debug_info::{DebugInfo, debug_info_of};
use tile_analysis::diagnostic::Diagnostic;
use tile_analysis::gpu::{self, GpuTarget};
use tile_analysis::ir::{Module, OpId};
use tile_bytecode::{Site, Unsupported};
use tile_dialect::{Gpu, Version};
use tile_launch::LaunchError;

/// Why the program cannot be compiled, except for missing tools.
pub(in super::super) enum NoCode {
    /// The program is at fault.
    Blamed {
        /// The errors.
        found: Vec<ReportedFinding>,
        /// The feature that the GPU lacks, if that is the only reason.
        lacks: Option<String>,
    },
    /// The compiler crashed.
    Crashed(Box<Crash>),
}

pub(in super::super) type Made<T> = Result<T, NoCode>;

impl JobRun<'_> {
    /// The index of the entry in its program.
    pub(super) fn index(&self) -> usize {
        let own = |(start, _): &(u32, _)| *start == self.start;
        self.program.entries.iter().position(own).unwrap_or(0)
    }

    /// The debug information of the program.
    pub(super) fn debug_info(&self) -> DebugInfo {
        // The compiler puts the path into format strings, where `%` would begin a conversion.
        debug_info_of(self.program, &self.job.path.replace('%', "_"))
    }

    /// Compiles the entry for a GPU. Returns the code and the time that the compiler took.
    pub(super) fn compiled(
        &self,
        compiler: &Compiler,
        source: &Origin<'_>,
        debug: &DebugInfo,
        gpu: &str,
    ) -> Result<Made<(Code, Duration)>, Box<LaunchError>> {
        let bytes = match self.encoded(compiler, Some(debug), gpu)? {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Err(reason)),
        };
        let began = Instant::now();
        match compiler.compile(&bytes, gpu, &self.job.compile) {
            // The compiler did not run.
            Ok(code) if code.is_cached => Ok(Ok((code, Duration::ZERO))),
            Ok(code) => Ok(Ok((code, began.elapsed()))),
            Err(CompileError::Refused { output }) => {
                let found = source.refusal(gpu, &output).into_iter().map(of_run).collect();
                Ok(Err(NoCode::Blamed { found, lacks: source.lacks(&output) }))
            }
            Err(CompileError::Crashed(crash)) => Ok(Err(NoCode::Crashed(crash))),
            Err(error) => Err(no_place(error)),
        }
    }

    /// The bytecode of the entry for a GPU. Without `debug`, it has no source locations.
    pub(in super::super) fn encoded(
        &self,
        compiler: &Compiler,
        debug: Option<&DebugInfo>,
        gpu: &str,
    ) -> Result<Made<Vec<u8>>, Box<LaunchError>> {
        compiler.check(gpu, &self.job.compile).map_err(no_place)?;
        let facts = compiler.facts();
        let version = facts.version(Version::NEWEST).ok_or_else(|| {
            let (version, release) = (Version::NEWEST.to_string(), facts.release.clone());
            no_place(CompileError::UnknownVersion { version, release, known: facts.versions.clone() })
        })?;
        let found = self.lacks(facts.rules(), gpu);
        if let Some(lacks) = found.first().map(|first| first.message.clone()) {
            return Ok(Err(NoCode::Blamed { found, lacks: Some(lacks) }));
        }
        let (module, debug) = self.alone(debug, version);
        Ok(tile_bytecode::encode(&module, debug.as_ref(), version).map_err(|unsupported| {
            let release = &facts.release;
            let reads = format!("`tileiras` {release} supports bytecode up to {version}: install a newer compiler");
            let found = tile_bytecode::diagnostics(self.program, &self.of_program(unsupported)).into_iter();
            let found = found.map(|found| of_run(Diagnostic { notes: vec![reads.clone()], ..found }));
            NoCode::Blamed { found: found.collect(), lacks: None }
        }))
    }

    /// Features of the entry that the GPU lacks.
    fn lacks(&self, compiler: Version, name: &str) -> Vec<ReportedFinding> {
        let (Some(gpu), Some((start, lowered))) = (Gpu::from_name(name), self.program.entries.get(self.index())) else {
            return Vec::new();
        };
        let found = gpu::lacks(&lowered.body, &lowered.spans, GpuTarget { gpu, compiler }).into_iter();
        found.map(|found| of_run(found.shifted(*start))).collect()
    }

    /// The compiler's remarks and warnings about the program.
    pub(super) fn notes(&self, source: &Origin<'_>, code: &Code) -> Vec<ReportedFinding> {
        let wanted = self.job.remarks.unwrap_or(Wanted::Missed);
        source.notes(code, wanted).into_iter().map(of_run).collect()
    }

    /// The module with only this entry, because others would take time and could need another GPU. Printing ops are
    /// rewritten to print the same text as the CPU engine.
    fn alone(&self, debug: Option<&DebugInfo>, version: Version) -> (Module, Option<DebugInfo>) {
        let (index, mut module) = (self.index(), self.program.module());
        module.entries = module.entries.into_iter().skip(index).take(1).collect();
        let mut debug = debug.map(|debug| debug.alone(index));
        let origins = prints::rewrite(&mut module, &self.entry.name, self.launch.grid, version);
        let locations = debug.as_mut().and_then(|debug| debug.entries.first_mut());
        if let (Some(origins), Some(locations)) = (origins, locations) {
            let of_op = |op: &OpId| locations.ops.get(op.0 as usize).copied().flatten();
            locations.ops = origins.iter().map(of_op).collect();
        }
        (module, debug)
    }

    /// Maps unsupported constructs in the module of one entry to the program.
    fn of_program(&self, unsupported: Vec<Unsupported>) -> Vec<Unsupported> {
        let own = self.index();
        let moved = unsupported.into_iter().map(|unsupported| {
            let site = match unsupported.site {
                Site::Entry(_) => Site::Entry(own),
                Site::Op(_, op) => Site::Op(own, op),
                site => site,
            };
            Unsupported { site, ..unsupported }
        });
        moved.collect()
    }
}

/// Converts a diagnostic to a finding.
fn of_run(diagnostic: Diagnostic) -> ReportedFinding {
    let Diagnostic { page, message, range, notes, labels, .. } = diagnostic;
    let others = labels.into_iter().map(|label| (label.range, label.message)).collect();
    ReportedFinding { code: page.code.to_string(), message, range: Some(range), notes, others }
}

/// An error without a location in the program, such as a problem of the machine.
pub(in super::super) fn no_place(message: impl Display) -> Box<LaunchError> {
    Box::new(LaunchError { range: 0..0, message: message.to_string(), help: None })
}
