//! The result of a run, as the page shows it.

use crate::explain;
use crate::offsets::Offsets;
use serde::Serialize;
use tile_runner::{ReportedFinding, Verdict};

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
    let passed = ended.findings.is_empty() && ended.verdicts.iter().all(|verdict| verdict.passed);
    Outcome {
        passed,
        summary: summary(ended),
        findings: ended.findings.iter().map(finding).collect(),
        expectations: ended.verdicts.iter().map(expectation).collect(),
        left_out,
    }
}

fn summary(ended: &tile_runner::Outcome) -> String {
    if let Some(found) = ended.findings.first() {
        return format!("stopped: {}", found.message);
    }
    let (all, failed) = (ended.verdicts.len(), ended.verdicts.iter().filter(|verdict| !verdict.passed).count());
    if failed > 0 {
        return format!("{failed} of {} not met", count(all as u64, "expectation"));
    }
    let met = if all > 0 { format!("{} met, ", count(all as u64, "expectation")) } else { String::new() };
    format!("{met}{} in {}", count(ended.blocks, "block"), time(ended.seconds))
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
