//! What the compiler says, as diagnostics of the program: errors, warnings, remarks.

mod e0803_refused;
mod p0101_no_tma;
mod p0102_no_tensor_core;
mod p0103_compiler_remark;
mod silent;

use super::compiler::Code;
use super::places::Places;
use super::remarks::{Place, Remark};
use super::said::{self, Complaint, Level};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::diagnostic::{Diagnostic, Page};
use tile_analysis::ir::OpId;
use tile_analysis::program::Program;
use tile_dialect::Effect;

/// The pages of what the compiler says.
pub static PAGES: [&Page; 4] =
    [&e0803_refused::PAGE, &p0101_no_tma::PAGE, &p0102_no_tensor_core::PAGE, &p0103_compiler_remark::PAGE];

/// What the compiler names the remarks of loads and stores that do without TMA.
const NO_TMA: [&str; 2] = ["RemarkMemoryTmaLoadFailed", "RemarkMemoryTmaStoreFailed"];

/// What it names those of products of matrices.
const PRODUCT: &str = "RemarkTensorCoreMMA";

/// What the names of remarks of loads and stores begin with.
const MEMORY: &str = "RemarkMemory";

/// Which remarks are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Wanted {
    /// Those of what the compiler could not do.
    Missed,
    /// All.
    All,
}

/// A program with where its ops come from, as the compiler was told.
pub struct Origin<'a> {
    program: &'a Program<'a>,
    places: Places,
}

impl<'a> Origin<'a> {
    /// A program and its debug information.
    pub fn new(program: &'a Program<'a>, debug: &DebugInfo) -> Origin<'a> {
        Origin { program, places: Places::of(debug) }
    }

    /// Where its ops come from.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Why the compiler refuses the program.
    pub fn refusal(&self, gpu: &str, said: &str) -> Vec<Diagnostic> {
        let all = said::read(said);
        let errors: Vec<Diagnostic> = merged(&all, |level| level == Level::Error)
            .map(|(complaint, notes)| {
                let range = self.range_of(complaint.place.as_ref(), None);
                let message = format!("`tileiras` does not compile this for {gpu}: {}", complaint.message);
                with_notes(Diagnostic::new(&e0803_refused::PAGE, range, message), notes)
            })
            .collect();
        if !errors.is_empty() {
            return errors;
        }
        if let Some(refusal) = silent::refusal(self.program) {
            let message =
                format!("`tileiras` does not compile this for {gpu}, and does not say why: {}", refusal.lacks);
            return vec![Diagnostic::new(&e0803_refused::PAGE, refusal.range, message).note(refusal.help)];
        }
        let message = format!("`tileiras` does not compile the program for {gpu}, and does not say why");
        let diagnostic = Diagnostic::new(&e0803_refused::PAGE, self.whole(), message);
        vec![diagnostic.note("perhaps `ptxas`, which it calls, fails; `tile doctor` tells what is there")]
    }

    /// What is not supported, where that is why the compiler refuses the program.
    pub fn lacks(&self, said: &str) -> Option<String> {
        let is_silent = said::read(said).iter().all(|complaint| complaint.level != Level::Error);
        let silent = || silent::refusal(self.program).filter(|_| is_silent).map(|refusal| refusal.lacks);
        said::lacks(said).or_else(silent)
    }

    /// What the compiler says of a program that it compiled. Remarks are there if it was asked for them.
    pub fn notes(&self, code: &Code, wanted: Wanted) -> Vec<Diagnostic> {
        let said = said::read(&code.said);
        let warnings = merged(&said, |level| level != Level::Note).map(|(complaint, notes)| {
            let range = self.range_of(complaint.place.as_ref(), None);
            with_notes(Diagnostic::new(&p0103_compiler_remark::PAGE, range, complaint.message.clone()), notes)
        });
        let remarks = code.remarks.iter().filter(|remark| wanted == Wanted::All || !remark.passed);
        let mut found: Vec<Diagnostic> = warnings.chain(remarks.map(|remark| self.remark(remark))).collect();
        Diagnostic::sort(&mut found);
        found
    }

    fn remark(&self, remark: &Remark) -> Diagnostic {
        let page: &'static Page = match remark.name.as_str() {
            _ if remark.passed => &p0103_compiler_remark::PAGE,
            name if NO_TMA.contains(&name) => &p0101_no_tma::PAGE,
            PRODUCT => &p0102_no_tensor_core::PAGE,
            _ => &p0103_compiler_remark::PAGE,
        };
        let range = self.range_of(remark.place.as_ref(), Some(&remark.name));
        let (reasons, details): (Vec<_>, Vec<_>) = remark.details.iter().partition(|(name, _)| name == "Reason");
        let reasons: Vec<&str> = reasons.iter().map(|(_, reason)| reason.as_str()).collect();
        let message = match &reasons[..] {
            [] => remark.message.clone(),
            reasons => format!("{}: {}", remark.message, reasons.join("; ")),
        };
        let details = details.iter().map(|(name, value)| format!("{}: {value}", name.to_lowercase()));
        with_notes(Diagnostic::new(page, range, message), details)
    }

    /// Where something stands that the compiler says of a place. Ops that share one are told apart by what the remark
    /// is about.
    fn range_of(&self, place: Option<&Place>, remark: Option<&str>) -> Range<u32> {
        let found = place.and_then(|place| self.places.op(place, |entry, op| self.fits(entry, op, remark)));
        let range = found.and_then(|(entry, op)| {
            let (start, lowered) = self.program.entries.get(entry)?;
            let name = lowered.spans.op_names.get(op.0 as usize)?;
            Some(name.start + start..name.end + start)
        });
        range.unwrap_or_else(|| self.whole())
    }

    /// Whether a remark of this name can be about an op.
    fn fits(&self, entry: usize, op: OpId, remark: Option<&str>) -> bool {
        let Some((_, lowered)) = self.program.entries.get(entry) else { return false };
        let row = lowered.body.op(op).op.row();
        match remark {
            Some(name) if name.starts_with(MEMORY) => row.effect == Effect::Memory,
            Some(PRODUCT) => row.operand("lhs").is_some() && row.operand("acc").is_some(),
            _ => true,
        }
    }

    /// The place of what is said of no op: the name of the only entry, or that of the module.
    fn whole(&self) -> Range<u32> {
        match &self.program.entries[..] {
            [(start, lowered)] => lowered.spans.name.start + start..lowered.spans.name.end + start,
            _ => self.program.outline.module.as_ref().map_or(0..0, |(_, range)| range.clone()),
        }
    }
}

/// The complaints of a level, each with the notes behind it.
fn merged<'c>(
    all: &'c [Complaint],
    wanted: impl Fn(Level) -> bool + 'c,
) -> impl Iterator<Item = (&'c Complaint, Vec<String>)> + 'c {
    let heads = (0..all.len()).filter(move |&index| wanted(all[index].level));
    heads.map(|index| {
        let notes = all[index + 1..].iter().take_while(|complaint| complaint.level == Level::Note);
        (&all[index], notes.map(|note| note.message.clone()).collect())
    })
}

fn with_notes(diagnostic: Diagnostic, notes: impl IntoIterator<Item = String>) -> Diagnostic {
    notes.into_iter().fold(diagnostic, Diagnostic::note)
}
