//! What the last run left at a position: what the value there held, the contents of the buffer, and the printed text.

use crate::run_results::RunResults;
use crate::run_results::held::{BufferAt, ValueAt};
use tile_analysis::db::{self, File, Queries};
use tile_backend::worker::trace::Names;
use tile_launch::editor;
use tile_launch::find;

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
            value: value_at(db, file, offset),
            buffer: buffer_at(db, file, offset),
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

fn value_at(db: &Queries, file: File, offset: u32) -> Option<(String, ValueAt)> {
    let found = find::at(db, file, offset)?;
    let (_, value) = found.spans.value_at(offset - found.start)?;
    let name = Names::new(&found.spans, file.text(db), found.start).name(value);
    let at = ValueAt { name, definition: found.spans.definition(value), entry: item_text(db, file, found.start)? };
    Some((found.entry.name.to_string(), at))
}

fn buffer_at(db: &Queries, file: File, offset: u32) -> Option<BufferAt> {
    let found = editor::argument_at(db, file, offset)?;
    let launch_text = file.text(db).get(found.launch_range)?.to_string();
    let entry_text = item_text(db, file, found.entry_start)?;
    Some(BufferAt { entry: found.entry, launch: found.launch, argument: found.argument, launch_text, entry_text })
}

/// The text of the item that starts at an offset.
fn item_text(db: &Queries, file: File, start: u32) -> Option<String> {
    db::layout(db, file).at(db, start).map(|(_, item)| item.text(db).to_string())
}
