//! A job with its lowered program.

use super::protocol::{Job, ReportedFinding};
use super::timer::Timer;
use super::trace::Names;
use std::io;
use std::ops::Range;
use std::time::Instant;
use tile_analysis::ir::{Body, Module, OpId};
use tile_analysis::lower::Lowered;
use tile_analysis::program::Program;
use tile_analysis::source::Spans;
use tile_analysis::types::{Scalar, Type};
use tile_engine::findings::Finding;
use tile_launch::{Launch, Number};

/// A job with its lowered program, or a run of the forward kernel for it.
#[derive(Clone, Copy)]
pub(super) struct JobRun<'a> {
    pub(super) job: &'a Job,
    pub(super) launch: &'a Launch,
    pub(super) program: &'a Program<'a>,
    pub(super) module: &'a Module,
    pub(super) entry: &'a Body,
    pub(super) spans: &'a Spans,
    /// The offset of the entry in the program.
    pub(super) start: u32,
    /// The start of the job.
    pub(super) began: Instant,
}

impl<'a> JobRun<'a> {
    pub(super) fn names(&self) -> Names<'_> {
        Names::new(self.spans, &self.job.text, self.start)
    }

    /// The entry that a `forward` line names, and its offset in the program.
    pub(super) fn forward_entry(&self, name: &str) -> Option<(u32, &'a Lowered)> {
        self.program.entries.iter().find(|(_, lowered)| *lowered.body.name == *name).copied()
    }

    pub(super) fn file(&self, name: &str) -> io::Result<Vec<u8>> {
        let found = self.job.files.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The types of the parameters.
    pub(super) fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.entry.regions[0].args.iter().map(|&value| self.entry.ty(value))
    }

    /// The range of an op's name in the program.
    pub(super) fn place(&self, op: Option<OpId>) -> Range<u32> {
        let range = op.and_then(|op| self.spans.op_names.get(op.0 as usize)).unwrap_or(&self.spans.name);
        range.start + self.start..range.end + self.start
    }

    pub(super) fn found(&self, finding: Finding, timer: &Timer) -> ReportedFinding {
        let [x, y, z] = finding.block;
        let message = match timer.ran_out() {
            Some(limit) => format!("the run timed out after {limit:?}"),
            None => finding.message,
        };
        let mut notes = finding.notes;
        if self.launch.grid != [1; 3] {
            notes.push(format!("in tile block ({x}, {y}, {z})"));
        }
        notes.extend(self.launch.name.iter().map(|name| format!("in the launch \"{name}\"")));
        let others = finding.others.into_iter().map(|(op, message)| (self.place(Some(op)), message)).collect();
        let range = Some(self.place(finding.op));
        ReportedFinding { code: finding.page.code.to_string(), message, range, notes, others }
    }
}

/// Encodes a number as a parameter of this type. The caller has checked that it fits.
pub(super) fn bits(number: Number, ty: Type) -> u64 {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Number(element)) => number.encode(element).unwrap_or(0),
        _ => 0,
    }
}
