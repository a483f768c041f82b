//! How a run ended, in one line.

use crate::report::{ReportedFinding, Verdict};
use std::fmt::Display;

/// Describes a run in one line: "1 expectation met, 8 blocks in 1.2 ms". `work` describes what it did. The error is why
/// it failed: "stopped: …", or how many expectations were not met.
pub fn summary(findings: &[ReportedFinding], verdicts: &[Verdict], work: impl Display) -> Result<String, String> {
    if let Some(found) = findings.first() {
        return Err(format!("stopped: {}", found.message));
    }
    let expectations = count(verdicts.len() as u64, "expectation");
    match verdicts.iter().filter(|verdict| !verdict.passed).count() {
        0 if verdicts.is_empty() => Ok(work.to_string()),
        0 => Ok(format!("{expectations} met, {work}")),
        failed => Err(format!("{failed} of {expectations} not met")),
    }
}

/// Describes what a run did: "8 blocks in 1.2 ms".
pub fn blocks_in(blocks: u64, seconds: f64) -> String {
    format!("{} in {}", count(blocks, "block"), time(seconds))
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
