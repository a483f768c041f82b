//! Converts the compiler's errors, warnings and remarks to diagnostics.

mod cause;
mod e0803_refused;
mod known;
mod p0101_no_tma;
mod p0102_no_tensor_core;
mod p0103_compiler_remark;
mod p0104_register_pressure;
mod p0105_wide_indices;
mod p0106_tma_stride;
mod p0107_tma_contiguous_dimension;
mod p0108_tma_extent;
mod p0109_tma_tile_row;
mod p0110_tma_padding;
mod p0111_tma_ordering;
mod p0112_tma_limit;
mod silent;

use super::compiler::Code;
use super::compiler_output::{self, Block, Complaint, Level};
use super::places::Places;
use super::remarks::{Remark, SourceLocation};
use known::{NARROWING, PRODUCT, known};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_analysis::debug_info::DebugInfo;
use tile_analysis::diagnostic::{Diagnostic, Page};
use tile_analysis::ir::OpId;
use tile_analysis::program::Program;
use tile_dialect::{Effect, Mnemonic, OperandName};

/// The pages of these diagnostics.
pub static PAGES: [&Page; 13] = [
    &e0803_refused::PAGE,
    &p0101_no_tma::PAGE,
    &p0102_no_tensor_core::PAGE,
    &p0103_compiler_remark::PAGE,
    &p0104_register_pressure::PAGE,
    &p0105_wide_indices::PAGE,
    &p0106_tma_stride::PAGE,
    &p0107_tma_contiguous_dimension::PAGE,
    &p0108_tma_extent::PAGE,
    &p0109_tma_tile_row::PAGE,
    &p0110_tma_padding::PAGE,
    &p0111_tma_ordering::PAGE,
    &p0112_tma_limit::PAGE,
];

/// The prefix of the names of remarks about loads and stores.
const MEMORY: &str = "RemarkMemory";

/// Which remarks are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Wanted {
    /// Only missed optimizations.
    Missed,
    /// All remarks.
    All,
}

/// A program and the source locations that were passed to the compiler.
pub struct Origin<'a> {
    program: &'a Program<'a>,
    places: Places,
}

impl<'a> Origin<'a> {
    /// Combines a program with its debug information.
    pub fn new(program: &'a Program<'a>, debug: &DebugInfo) -> Origin<'a> {
        Origin { program, places: Places::of(debug) }
    }

    /// The source locations of its ops.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Converts the compiler's output about a rejected program to diagnostics.
    pub fn refusal(&self, gpu: &str, output: &str) -> Vec<Diagnostic> {
        let all = compiler_output::read(output);
        let errors: Vec<Diagnostic> = merged(&all, |level| level == Level::Error)
            .map(|(complaint, notes)| {
                let range = self.range_of(complaint.place.as_ref(), None, false);
                let message = format!("`tileiras` cannot compile this for {gpu}: {}", complaint.message);
                with_notes(Diagnostic::new(&e0803_refused::PAGE, range, message), notes)
            })
            .collect();
        if !errors.is_empty() {
            return errors;
        }
        if let Some(refusal) = silent::refusal(self.program) {
            let message = format!("`tileiras` cannot compile this for {gpu} and gives no reason: {}", refusal.lacks);
            return vec![Diagnostic::new(&e0803_refused::PAGE, refusal.range, message).note(refusal.help)];
        }
        let message = format!("`tileiras` cannot compile the program for {gpu} and gives no reason");
        let diagnostic = Diagnostic::new(&e0803_refused::PAGE, self.whole(), message);
        vec![
            diagnostic.note("`ptxas`, which it calls, may have failed; run `tile doctor` to check the installed tools"),
        ]
    }

    /// Returns the unsupported feature, if that is why the compiler rejects the program.
    pub fn lacks(&self, output: &str) -> Option<String> {
        let is_silent = compiler_output::read(output).iter().all(|complaint| complaint.level != Level::Error);
        let silent = || silent::refusal(self.program).filter(|_| is_silent).map(|refusal| refusal.lacks);
        compiler_output::lacks(output).or_else(silent)
    }

    /// Converts the compiler's output about a compiled program to diagnostics. Includes remarks if they were requested.
    pub fn notes(&self, code: &Code, wanted: Wanted) -> Vec<Diagnostic> {
        let messages = compiler_output::read(&code.output);
        let warnings = merged(&messages, |level| level != Level::Note).map(|(complaint, notes)| {
            let found = match &complaint.block {
                Some(block) => self.remark(&of_block(complaint, block)),
                None => {
                    let range = self.range_of(complaint.place.as_ref(), None, false);
                    Diagnostic::new(&p0103_compiler_remark::PAGE, range, complaint.message.clone())
                }
            };
            with_notes(found, notes)
        });
        let remarks = code.remarks.iter().filter(|remark| wanted == Wanted::All || !remark.passed);
        let mut found: Vec<Diagnostic> = Vec::new();
        // A warning can also be among the remarks.
        for diagnostic in warnings.chain(remarks.map(|remark| self.remark(remark))) {
            if !found.contains(&diagnostic) {
                found.push(diagnostic);
            }
        }
        Diagnostic::sort(&mut found);
        found
    }

    fn remark(&self, remark: &Remark) -> Diagnostic {
        let known = known(remark);
        let page = known.map_or(&p0103_compiler_remark::PAGE, |known| known.page);
        let is_of_entry = known.is_some_and(|known| known.is_of_entry);
        let range = self.range_of(remark.place.as_ref(), Some(&remark.name), is_of_entry);
        let is_reason = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("reason");
        let (reasons, details): (Vec<_>, Vec<_>) = remark.details.iter().partition(is_reason);
        let mut message = uncapitalized(&remark.message);
        let mut notes = Vec::new();
        for (index, (_, reason)) in reasons.into_iter().enumerate() {
            // Only the first sentence goes into the message.
            let (first, rest) = reason.split_once(". ").unwrap_or((reason, ""));
            message += if index == 0 { ": " } else { "; " };
            message += &uncapitalized(first);
            notes.extend((!rest.is_empty()).then(|| uncapitalized(rest)));
        }
        let details = details.iter().map(|(name, value)| format!("{}: {}", name.to_lowercase(), uncapitalized(value)));
        let found = with_notes(Diagnostic::new(page, range, message), notes.into_iter().chain(details));
        let at = || self.subject(remark.place.as_ref()?, &remark.name, is_of_entry);
        let Some((known, (entry, op))) = known.zip(at()) else { return found };
        let cause = cause::find(self.program, entry, op, known.cause);
        let notes = cause.notes.into_iter().map(|note| format!("probable cause: {note}")).chain(cause.help);
        cause.fix.into_iter().fold(with_notes(found, notes), Diagnostic::with_fix)
    }

    /// The entry and the op that a remark is about. For a remark about an entry, any op.
    fn subject(&self, place: &SourceLocation, remark: &str, is_of_entry: bool) -> Option<(usize, OpId)> {
        if is_of_entry && let Some(entry) = self.places.entry(place) {
            return Some((entry, OpId(0)));
        }
        self.places.op(place, |entry, op| self.fits(entry, op, Some(remark)))
    }

    /// The range in the program for a source location. If several ops share the location, prefers those that the remark
    /// can be about.
    fn range_of(&self, place: Option<&SourceLocation>, remark: Option<&str>, is_of_entry: bool) -> Range<u32> {
        let op = || {
            let (entry, op) = self.places.op(place?, |entry, op| self.fits(entry, op, remark))?;
            let (start, lowered) = self.program.entries.get(entry)?;
            let name = lowered.spans.op_names.get(op.0 as usize)?;
            Some(name.start + start..name.end + start)
        };
        let entry = || self.entry_name(self.places.entry(place?)?);
        let found = if is_of_entry { entry().or_else(op) } else { op().or_else(entry) };
        found.unwrap_or_else(|| self.whole())
    }

    /// The range of an entry's name.
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

    /// The range for messages without a location: the name of the only entry, or the module's.
    fn whole(&self) -> Range<u32> {
        let only = (self.program.entries.len() == 1).then(|| self.entry_name(0)).flatten();
        only.unwrap_or_else(|| self.program.outline.module.as_ref().map_or(0..0, |(_, range)| range.clone()))
    }
}

/// Converts a multi-line message to a remark.
fn of_block(complaint: &Complaint, block: &Block) -> Remark {
    Remark {
        passed: false,
        name: block.name.clone(),
        place: complaint.place.clone(),
        message: complaint.message.clone(),
        details: block.details.clone(),
    }
}

/// Converts a sentence to the style of our messages: in lower case, unless it begins with a name such as `TMA`, and
/// without a full stop.
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

/// The messages of the selected levels, each with the notes that follow it.
fn merged<'c>(
    all: &'c [Complaint],
    is_selected: impl Fn(Level) -> bool + 'c,
) -> impl Iterator<Item = (&'c Complaint, Vec<String>)> + 'c {
    let heads = (0..all.len()).filter(move |&index| is_selected(all[index].level));
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
