//! The findings and verdicts of a run.

use serde::{Deserialize, Serialize};
use std::ops::Range;
use tile_launch::expect::Differences;
use tile_launch::{LaunchError, find};

/// A finding of a run.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct ReportedFinding {
    /// The code of its page.
    pub code: String,
    /// The message.
    pub message: String,
    /// The op's name or the directive, in bytes of the program's text; `None` if the machine or the command is at
    /// fault.
    pub range: Option<Range<u32>>,
    /// Notes.
    pub notes: Vec<String>,
    /// Related ops, in bytes of the program's text, with messages.
    pub others: Vec<(Range<u32>, String)>,
}

/// The result of an expectation.
#[derive(Serialize, Deserialize, Debug, Clone)]
pub struct Verdict {
    /// Whether it was met.
    pub passed: bool,
    /// One line if it was met, otherwise several lines with the differences.
    pub summary: String,
    /// The expectation, in bytes of the program's text.
    pub range: Range<u32>,
    /// The differences of a compared output, if any.
    pub differences: Option<Differences>,
}

impl ReportedFinding {
    /// The range to show the finding at, in bytes of the program's text: the start of the text if it has none.
    pub fn shown_range(&self) -> Range<u32> {
        self.range.clone().unwrap_or(0..0)
    }
}

impl From<LaunchError> for ReportedFinding {
    /// The finding of a launch that cannot be executed.
    fn from(error: LaunchError) -> ReportedFinding {
        let notes = error.help.into_iter().collect();
        let range = (error.range != (0..0)).then_some(error.range.start as u32..error.range.end as u32);
        let code = find::PAGE.code.to_string();
        ReportedFinding { code, message: error.message, range, notes, others: Vec::new() }
    }
}
