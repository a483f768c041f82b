//! What the last run left at a position: what the value there held, the contents of the buffer, and the printed text.

use crate::run_results::RunResults;
use tile_analysis::db::{File, Queries};
use tile_launch::find;
use tile_runner::held::{BufferAt, ValueAt};

/// What a hover shows of the last run.
#[derive(Default)]
pub(super) struct Place {
    /// The entry and the value.
    value: Option<(String, ValueAt)>,
    buffer: Option<BufferAt>,
    line: usize,
    /// Whether the position is at the name of an op, or at no word at all. Then the printed text is the first that a
    /// reader looks for.
    printed_first: bool,
}

/// The texts of a hover about the last run.
pub(super) struct LastRun {
    /// The text above everything else.
    pub(super) before: String,
    /// The text below everything else.
    pub(super) after: String,
}

impl Place {
    /// The place at an offset in a line. `is_word`: whether there is anything else to show.
    pub(super) fn of(db: &Queries, file: File, offset: u32, line: usize, is_word: bool) -> Place {
        let is_op = find::at(db, file, offset).is_some_and(|found| found.spans.op_at(offset - found.start).is_some());
        Place {
            value: ValueAt::find(db, file, offset),
            buffer: BufferAt::find(db, file, offset),
            line,
            printed_first: is_op || !is_word,
        }
    }

    /// What the runs of a document left there.
    pub(super) fn show(&self, results: &RunResults) -> LastRun {
        let value = self.value.as_ref().and_then(|(entry, at)| results.value(entry, at));
        let buffer = self.buffer.as_ref().and_then(|at| results.buffer(at));
        let printed = results.printed(self.line);
        let (before, last) = if self.printed_first { (printed, None) } else { (None, printed) };
        let sections = [buffer, value, last].into_iter().flatten();
        let after = sections.map(|section| format!("\n---\n\n{section}")).collect();
        LastRun { before: before.map_or_else(String::new, |text| text + "\n"), after }
    }
}
