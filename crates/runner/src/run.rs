//! A launch of a lowered program.

use crate::report::ReportedFinding;
use crate::settings::Settings;
use crate::system::System;
use crate::timer::Timer;
use crate::trace::Names;
use std::io;
use std::ops::Range;
use std::time::Duration;
use tile_analysis::ir::{Body, Module, OpId};
use tile_analysis::lower::Lowered;
use tile_analysis::program::Program;
use tile_analysis::source::Spans;
use tile_analysis::types::{Scalar, Type};
use tile_clock::Instant;
use tile_engine::findings::Finding;
use tile_launch::{Launch, Number};

/// A launch of a lowered program, or a run of the forward kernel for it.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The program's text.
    pub text: &'a str,
    /// The program.
    pub program: &'a Program<'a>,
    /// Its module.
    pub module: &'a Module,
    /// The launched entry.
    pub entry: &'a Body,
    /// The places of its parts, from its start.
    pub spans: &'a Spans,
    /// The offset of the entry in the program.
    pub start: u32,
    /// The arguments and expectations.
    pub launch: &'a Launch,
    /// The files of the launch: their names in the launch, and their contents.
    pub files: &'a [(String, Vec<u8>)],
    /// How it runs.
    pub settings: Settings<'a>,
    /// Where it runs.
    pub system: &'a dyn System,
    /// When it began.
    pub began: Instant,
}

impl<'a> Run<'a> {
    /// The names of the entry's values.
    pub fn names(&self) -> Names<'_> {
        Names::new(self.spans, self.text, self.start)
    }

    /// The entry that a `forward` line names, and its offset in the program.
    pub(crate) fn forward_entry(&self, name: &str) -> Option<(u32, &'a Lowered)> {
        self.program.entries.iter().find(|(_, lowered)| *lowered.body.name == *name).copied()
    }

    /// The contents of a file of the launch.
    pub fn file(&self, name: &str) -> io::Result<Vec<u8>> {
        let found = self.files.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The types of the parameters.
    pub fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.entry.regions[0].args.iter().map(|&value| self.entry.ty(value))
    }

    /// The range of an op's name in the program.
    pub fn place(&self, op: Option<OpId>) -> Range<u32> {
        let range = op.and_then(|op| self.spans.op_names.get(op.0 as usize)).unwrap_or(&self.spans.name);
        range.start + self.start..range.end + self.start
    }

    /// Starts a timer with the time limit of the run.
    pub fn timer(&self) -> Timer {
        Timer::start(self.settings.timeout_ms, Duration::ZERO, self.system)
    }

    /// Starts a timer with the rest of the time limit.
    pub(crate) fn resumed_timer(&self) -> Timer {
        Timer::start(self.settings.timeout_ms, self.began.elapsed(), self.system)
    }

    /// Adds places in the text to a finding of the engine.
    pub fn found(&self, finding: Finding, timer: &Timer) -> ReportedFinding {
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
pub fn bits(number: Number, ty: Type) -> u64 {
    match ty.as_tile().map(|tile| tile.element) {
        Some(Scalar::Number(element)) => number.encode(element).unwrap_or(0),
        _ => 0,
    }
}
