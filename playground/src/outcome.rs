//! The result of a run, as the page shows it.

use crate::explain;
use crate::offsets::Offsets;
use serde::Serialize;
use tile_runner::{ReportedFinding, Verdict, blocks_in, summary};

/// The result of a run.
#[derive(Serialize, Debug)]
pub(crate) struct Outcome {
    passed: bool,
    /// One line.
    summary: String,
    findings: Vec<Finding>,
    expectations: Vec<Expectation>,
    /// The positions of ops that printed more than was reported, and how many bytes more.
    left_out: Vec<(u32, usize)>,
}

/// A finding.
#[derive(Serialize, Debug)]
struct Finding {
    code: String,
    message: String,
    /// `null` if it has no place in the text.
    range: Option<[u32; 2]>,
    notes: Vec<String>,
    related: Vec<([u32; 2], String)>,
    /// The page of its code, in Markdown.
    page: Option<String>,
}

/// A checked expectation.
#[derive(Serialize, Debug)]
struct Expectation {
    passed: bool,
    summary: String,
    range: [u32; 2],
}

pub(crate) fn of(ended: &tile_runner::Outcome, left_out: Vec<(u32, usize)>, offsets: &Offsets) -> Outcome {
    let finding = |found: &ReportedFinding| Finding {
        code: found.code.clone(),
        message: found.message.clone(),
        range: found.range.as_ref().map(|range| offsets.range(range)),
        notes: found.notes.clone(),
        related: found.others.iter().map(|(range, message)| (offsets.range(range), message.clone())).collect(),
        page: explain::page(&found.code),
    };
    let expectation = |verdict: &Verdict| Expectation {
        passed: verdict.passed,
        summary: verdict.summary.clone(),
        range: offsets.range(&verdict.range),
    };
    let summary = summary(&ended.findings, &ended.verdicts, blocks_in(ended.blocks, ended.seconds));
    Outcome {
        passed: summary.is_ok(),
        summary: summary.unwrap_or_else(|failure| failure),
        findings: ended.findings.iter().map(finding).collect(),
        expectations: ended.verdicts.iter().map(expectation).collect(),
        left_out,
    }
}
