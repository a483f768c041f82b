//! What the compiler says, as diagnostics of the program: errors, warnings, remarks.

mod e0803_refused;
mod p0101_no_tma;
mod p0102_no_tensor_core;
mod p0103_compiler_remark;
mod p0104_register_pressure;
mod p0105_wide_indices;
mod silent;

use super::compiler::Code;
use super::compiler_output::{self, Block, Complaint, Level};
use super::places::Places;
use super::remarks::{Remark, SourceLocation};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::diagnostic::{Diagnostic, Page};
use tile_analysis::ir::OpId;
use tile_analysis::program::Program;
use tile_dialect::{Effect, Mnemonic, OperandName};

/// The pages of what the compiler says.
pub static PAGES: [&Page; 6] = [
    &e0803_refused::PAGE,
    &p0101_no_tma::PAGE,
    &p0102_no_tensor_core::PAGE,
    &p0103_compiler_remark::PAGE,
    &p0104_register_pressure::PAGE,
    &p0105_wide_indices::PAGE,
];

/// A remark about something that the compiler could not do.
struct MissedRemark {
    /// Its name in the compiler's output.
    name: &'static str,
    page: &'static Page,
    /// Whether it is about a whole entry instead of one op.
    is_of_entry: bool,
}

/// The remarks that have their own page; all others are on P0103.
static MISSED_REMARKS: [MissedRemark; 7] = [
    of_op("RemarkMemoryTmaLoadFailed", &p0101_no_tma::PAGE),
    of_op("RemarkMemoryTmaStoreFailed", &p0101_no_tma::PAGE),
    of_op(PRODUCT, &p0102_no_tensor_core::PAGE),
    of_entry("RegisterPressure"),
    of_entry("RemarkPerfRegisterSpill"),
    of_entry("RemarkPerfLocalMemoryUsage"),
    of_op(NARROWING, &p0105_wide_indices::PAGE),
];

const fn of_op(name: &'static str, page: &'static Page) -> MissedRemark {
    MissedRemark { name, page, is_of_entry: false }
}

const fn of_entry(name: &'static str) -> MissedRemark {
    MissedRemark { name, page: &p0104_register_pressure::PAGE, is_of_entry: true }
}

/// What the compiler names remarks about products of matrices.
const PRODUCT: &str = "RemarkTensorCoreMMA";

/// What it names those about tensor views that need indices of 64 bits.
const NARROWING: &str = "RemarkTensorViewIndexTypeNarrowing";

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
        let all = compiler_output::read(said);
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
        let is_silent = compiler_output::read(said).iter().all(|complaint| complaint.level != Level::Error);
        let silent = || silent::refusal(self.program).filter(|_| is_silent).map(|refusal| refusal.lacks);
        compiler_output::lacks(said).or_else(silent)
    }

    /// What the compiler says of a program that it compiled. Remarks are there if it was asked for them.
    pub fn notes(&self, code: &Code, wanted: Wanted) -> Vec<Diagnostic> {
        let said = compiler_output::read(&code.said);
        let warnings = merged(&said, |level| level != Level::Note).map(|(complaint, notes)| {
            let found = match &complaint.block {
                Some(block) => self.remark(&of_block(complaint, block)),
                None => {
                    let range = self.range_of(complaint.place.as_ref(), None);
                    Diagnostic::new(&p0103_compiler_remark::PAGE, range, complaint.message.clone())
                }
            };
            with_notes(found, notes)
        });
        let remarks = code.remarks.iter().filter(|remark| wanted == Wanted::All || !remark.passed);
        let mut found: Vec<Diagnostic> = Vec::new();
        // A warning may be in both places.
        for diagnostic in warnings.chain(remarks.map(|remark| self.remark(remark))) {
            if !found.contains(&diagnostic) {
                found.push(diagnostic);
            }
        }
        Diagnostic::sort(&mut found);
        found
    }

    fn remark(&self, remark: &Remark) -> Diagnostic {
        let known = MISSED_REMARKS.iter().find(|known| !remark.passed && known.name == remark.name);
        let page = known.map_or(&p0103_compiler_remark::PAGE, |known| known.page);
        let range = self.range_of(remark.place.as_ref(), Some(&remark.name));
        let is_reason = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("reason");
        let (reasons, details): (Vec<_>, Vec<_>) = remark.details.iter().partition(is_reason);
        let mut message = uncapitalized(&remark.message);
        let mut notes = Vec::new();
        for (index, (_, reason)) in reasons.into_iter().enumerate() {
            // Of several sentences only the first belongs into the message.
            let (first, rest) = reason.split_once(". ").unwrap_or((reason, ""));
            message += if index == 0 { ": " } else { "; " };
            message += &uncapitalized(first);
            notes.extend((!rest.is_empty()).then(|| uncapitalized(rest)));
        }
        let details = details.iter().map(|(name, value)| format!("{}: {}", name.to_lowercase(), uncapitalized(value)));
        with_notes(Diagnostic::new(page, range, message), notes.into_iter().chain(details))
    }

    /// Where something stands that the compiler says of a place. Ops that share one are told apart by what the remark
    /// is about.
    fn range_of(&self, place: Option<&SourceLocation>, remark: Option<&str>) -> Range<u32> {
        let op = || {
            let (entry, op) = self.places.op(place?, |entry, op| self.fits(entry, op, remark))?;
            let (start, lowered) = self.program.entries.get(entry)?;
            let name = lowered.spans.op_names.get(op.0 as usize)?;
            Some(name.start + start..name.end + start)
        };
        let entry = || self.entry_name(self.places.entry(place?)?);
        let is_of_entry = MISSED_REMARKS.iter().any(|known| known.is_of_entry && remark == Some(known.name));
        let found = if is_of_entry { entry().or_else(op) } else { op().or_else(entry) };
        found.unwrap_or_else(|| self.whole())
    }

    /// The name of an entry.
    fn entry_name(&self, entry: usize) -> Option<Range<u32>> {
        let (start, lowered) = self.program.entries.get(entry)?;
        Some(lowered.spans.name.start + start..lowered.spans.name.end + start)
    }

    /// Whether a remark of this name can be about an op.
    fn fits(&self, entry: usize, op: OpId, remark: Option<&str>) -> bool {
        let Some((_, lowered)) = self.program.entries.get(entry) else { return false };
        let row = lowered.body.op(op).op.row();
        match remark {
            Some(name) if name.starts_with(MEMORY) => row.effect == Effect::Memory,
            Some(NARROWING) => row.op == Mnemonic::MakeTensorView,
            Some(PRODUCT) => row.operand(OperandName::Lhs).is_some() && row.operand(OperandName::Acc).is_some(),
            _ => true,
        }
    }

    /// The place of what is said of no op: the name of the only entry, or that of the module.
    fn whole(&self) -> Range<u32> {
        let only = (self.program.entries.len() == 1).then(|| self.entry_name(0)).flatten();
        only.unwrap_or_else(|| self.program.outline.module.as_ref().map_or(0..0, |(_, range)| range.clone()))
    }
}

/// A complaint of several lines as a remark.
fn of_block(complaint: &Complaint, block: &Block) -> Remark {
    Remark {
        passed: false,
        name: block.name.clone(),
        place: complaint.place.clone(),
        message: complaint.message.clone(),
        details: block.details.clone(),
    }
}

/// A sentence of the compiler in the shape of our messages: in lower case, unless it begins with a name such as `TMA`, and
/// without its full stop.
fn uncapitalized(sentence: &str) -> String {
    let sentence = sentence.trim().trim_end_matches('.');
    let mut letters = sentence.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => sentence.to_string(),
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

#[cfg(test)]
mod tests;
