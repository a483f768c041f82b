//! Texts about a run.

use crate::run_results::Mark;
use crate::text::Text;
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;
use tile_analysis::render::escape;
use tile_backend::worker::trace::Traced;
use tile_backend::worker::{Report, ReportedFinding, Verdict};
use tile_runner::{blocks_in, summary};
use tower_lsp::ls_types::Range as PositionRange;

/// Why a run failed: a finding, or an expectation that was not met.
#[derive(Serialize)]
pub(super) struct Failure {
    range: PositionRange,
    /// The code of a finding.
    code: Option<String>,
    message: String,
}

/// Converts bytes that arrive in parts to text that a terminal can show. A character split between two parts belongs to
/// the second.
#[derive(Default)]
pub(super) struct Utf8 {
    held: Vec<u8>,
}

impl Utf8 {
    /// Returns the text of the next part.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let keep = self.held.utf8_chunks().last().map_or(0, |last| {
            // Up to three bytes at the end may be the start of a character.
            let is_begun = std::str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none());
            if is_begun { last.invalid().len() } else { 0 }
        });
        let rest = self.held.split_off(self.held.len() - keep);
        let text = escape(&String::from_utf8_lossy(&self.held)).into_owned();
        self.held = rest;
        text
    }

    /// Returns the rest.
    pub(super) fn finish(&mut self) -> String {
        escape(&String::from_utf8_lossy(&std::mem::take(&mut self.held))).into_owned()
    }
}

/// Findings and failed expectations as marks in the text.
pub(super) fn marks(report: &Report, text: &Text) -> Vec<Mark> {
    let findings = report
        .findings
        .iter()
        .map(|found| Mark::new(text, &found.shown_range(), Some(found.code.clone()), full_message(found, text, "\n")));
    let failed = failed(report).map(|verdict| Mark::new(text, &verdict.range, None, verdict.summary.clone()));
    findings.chain(failed).collect()
}

/// Findings and failed expectations with their locations.
pub(super) fn failures(report: &Report, text: &Text) -> Vec<Failure> {
    let findings = report.findings.iter().map(|found| Failure {
        range: text.range(&found.shown_range()),
        code: Some(found.code.clone()),
        message: full_message(found, text, "\n"),
    });
    let failed = failed(report).map(|verdict| Failure {
        range: text.range(&verdict.range),
        code: None,
        message: verdict.summary.clone(),
    });
    findings.chain(failed).collect()
}

/// Findings and failed expectations as lines of text.
pub(super) fn stderr_text(report: &Report, text: &Text, uri: &str) -> String {
    let name = uri.rsplit('/').next().unwrap_or(uri);
    let place = |range: &Range<u32>| {
        let position = text.position(range.start);
        format!("{name}:{}:{}", position.line + 1, position.character + 1)
    };
    let mut out = String::new();
    for found in &report.findings {
        let message = full_message(found, text, "\n  ");
        let _ = writeln!(out, "{}: error[{}]: {message}", place(&found.shown_range()), found.code);
    }
    for Verdict { summary, range, .. } in failed(report) {
        let _ = writeln!(out, "{}: {}", place(range), summary.trim_end().replace('\n', "\n  "));
    }
    out
}

fn failed(report: &Report) -> impl Iterator<Item = &Verdict> {
    report.verdicts.iter().filter(|verdict| !verdict.passed)
}

/// The message of a finding, with its related ops and notes.
fn full_message(found: &ReportedFinding, text: &Text, between: &str) -> String {
    let line = |range: &Range<u32>| text.position(range.start).line + 1;
    let others = found.others.iter().map(|(range, message)| format!("line {}: {message}", line(range)));
    others.chain(found.notes.iter().cloned()).fold(found.message.clone(), |text, note| text + between + &note)
}

/// A traced value, without its name and type, which the line contains.
pub(super) fn traced(traced: &Traced) -> String {
    let Traced { iterations, shown, .. } = traced;
    let iterations: Vec<String> = iterations.iter().map(u64::to_string).collect();
    if iterations.is_empty() { shown.to_string() } else { format!("{}: {shown}", iterations.join("/")) }
}

/// A short description of how the run ended.
pub(super) fn verdict(report: &Report) -> String {
    if let Some(reason) = report.skipped.as_ref().filter(|_| report.findings.is_empty()) {
        return format!("skipped: {reason}");
    }
    let work = report.bench.as_ref().map_or_else(|| blocks_in(report.blocks, report.seconds), ToString::to_string);
    match summary(&report.findings, &report.verdicts, work) {
        Ok(summary) => format!("✓ {summary}"),
        Err(failure) => format!("✗ {failure}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_can_be_split() {
        let text = "ä→𝄞\n";
        for size in 1..=text.len() {
            let mut utf8 = Utf8::default();
            let mut joined: String = text.as_bytes().chunks(size).map(|part| utf8.push(part)).collect();
            joined += &utf8.finish();
            assert_eq!(joined, text, "in parts of {size}");
        }
    }

    #[test]
    fn invalid_utf8_is_replaced_without_delay() {
        let mut utf8 = Utf8::default();
        assert_eq!(utf8.push(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(utf8.push(b"c\xff"), "c\u{fffd}");
        assert_eq!(utf8.push(b"\xe2\x86"), "");
        assert_eq!(utf8.finish(), "\u{fffd}");
    }

    #[test]
    fn a_verdict_is_one_line() {
        let mut report = Report { blocks: 8, seconds: 0.0012, ..Report::default() };
        assert_eq!(verdict(&report), "✓ 8 blocks in 1.2 ms");
        report.verdicts.push(Verdict { passed: true, summary: String::new(), range: 0..0, differences: None });
        assert_eq!(verdict(&report), "✓ 1 expectation met, 8 blocks in 1.2 ms");
        report.verdicts.push(Verdict { passed: false, summary: "no".into(), range: 0..0, differences: None });
        assert_eq!(verdict(&report), "✗ 1 of 2 expectations not met");
    }
}
