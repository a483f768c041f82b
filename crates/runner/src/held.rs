//! What values and buffers held in the last run, as Markdown for hovers.

use crate::recorded::{BufferContents, Execution, RecordedBuffer, RecordedValue, Shown, Summary};
use crate::trace::Names;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::ops::Range;
use tile_analysis::db::{self, File, Queries};
use tile_analysis::ide::capitalized;
use tile_input::size;
use tile_launch::find::EntryLaunches;
use tile_launch::{Launch, editor, find};

/// The text that was run.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The offset of the entry in the document.
    pub start: u32,
    /// The text of the entry.
    pub entry: String,
    /// The text of the launch.
    pub launch: String,
}

/// What values and buffers held in a run.
#[derive(Serialize, Deserialize, Debug)]
pub struct Held {
    /// The text that was run.
    pub source: Source,
    /// The values.
    pub values: Vec<RecordedValue>,
    /// The buffers.
    pub buffers: Vec<RecordedBuffer>,
    /// Why later executions are missing, if they are.
    pub cut: Option<String>,
}

/// A value at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueAt {
    /// Its name, with `%`, and with `#` and its index in a pack.
    pub name: String,
    /// The range of its definition, in bytes from the start of its entry.
    pub definition: Range<u32>,
    /// The current text of its entry.
    pub entry: String,
}

/// A buffer at the cursor, in the directives of a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferAt {
    /// The name of the entry, without `@`.
    pub entry: String,
    /// The name of the launch, if it has one.
    pub launch: Option<String>,
    /// The argument, without `%`.
    pub argument: String,
    /// The current text of the launch.
    pub launch_text: String,
    /// The current text of the entry.
    pub entry_text: String,
}

impl Source {
    /// The text of a launch and its entry.
    pub fn of(db: &Queries, file: File, entry: &EntryLaunches, launch: &Launch) -> Source {
        let text = file.text(db).get(launch.range.clone()).unwrap_or_default();
        let item = item_text(db, file, entry.start).unwrap_or_default();
        Source { start: entry.start, entry: item, launch: text.to_string() }
    }
}

impl ValueAt {
    /// The value at an offset, with the name of its entry.
    pub fn find(db: &Queries, file: File, offset: u32) -> Option<(String, ValueAt)> {
        let found = find::at(db, file, offset)?;
        let (_, value) = found.spans.value_at(offset - found.start)?;
        let name = Names::new(&found.spans, file.text(db), found.start).name(value);
        let at = ValueAt { name, definition: found.spans.definition(value), entry: item_text(db, file, found.start)? };
        Some((found.entry.name.to_string(), at))
    }
}

impl BufferAt {
    /// The buffer whose argument is at an offset.
    pub fn find(db: &Queries, file: File, offset: u32) -> Option<BufferAt> {
        let found = editor::argument_at(db, file, offset)?;
        let launch_text = file.text(db).get(found.launch_range)?.to_string();
        let entry_text = item_text(db, file, found.entry_start)?;
        Some(BufferAt { entry: found.entry, launch: found.launch, argument: found.argument, launch_text, entry_text })
    }
}

/// The text of the item that starts at an offset.
fn item_text(db: &Queries, file: File, start: u32) -> Option<String> {
    db::layout(db, file).at(db, start).map(|(_, item)| item.text(db).to_string())
}

impl Held {
    /// Describes what a value held. `launch` is the name of the launch, if it has one.
    pub fn value(&self, at: &ValueAt, launch: Option<&str>) -> Option<String> {
        let is_current = self.source.entry == at.entry;
        let is_it = |recorded: &&RecordedValue| {
            let definition = recorded.range.start.wrapping_sub(self.source.start);
            recorded.name == at.name && (!is_current || definition == at.definition.start)
        };
        let mut found = self.values.iter().filter(is_it);
        // In a changed text, a name that is defined twice may refer to either definition.
        let recorded = found.next().filter(|_| found.next().is_none())?;
        let mut text = format!("{}, `{}` ", heading(launch, is_current), at.name);
        match (recorded.total.filter(Summary::is_uniform), &recorded.first[..]) {
            (_, [(_, shown)]) if recorded.runs == 1 => _ = writeln!(text, "was computed once: {}", elements(shown)),
            (Some(total), _) => {
                _ = writeln!(
                    text,
                    "was {} in all {} executions.",
                    total.to_string().trim_start_matches("all "),
                    recorded.runs
                )
            }
            (None, first) => {
                let _ = writeln!(text, "was computed {} times{}\n", recorded.runs, summary(recorded));
                for (execution, shown) in first {
                    let _ = writeln!(text, "- {}: {}", place(execution), elements(shown));
                }
                if recorded.runs > first.len() as u64 {
                    let _ = writeln!(text, "- … and {} more", recorded.runs - first.len() as u64);
                }
            }
        }
        if let Some(cut) = &self.cut {
            let _ = writeln!(text, "\n{cut}.");
        }
        Some(text)
    }

    /// Describes the contents of a buffer.
    pub fn buffer(&self, at: &BufferAt) -> Option<String> {
        let RecordedBuffer { name, shape, strides, size, element, before, after } =
            self.buffers.iter().find(|buffer| buffer.name == at.argument)?;
        let is_current = self.source.launch == at.launch_text && self.source.entry == at.entry_text;
        let mut text = heading(None, is_current);
        let _ = writeln!(
            text,
            ", `%{name}` had shape `{shape:?}`, strides `{strides:?}`, and {} of `{element}`:\n",
            size::shown(*size)
        );
        let _ = writeln!(text, "- before: {}", contents(before));
        let _ = match after {
            Some(after) => writeln!(text, "- after: {}", contents(after)),
            None => writeln!(text, "- after: unchanged"),
        };
        Some(text)
    }
}

/// The totals of a value, and where its extremes are.
fn summary(recorded: &RecordedValue) -> String {
    let Some(total) = recorded.total else { return ":".to_string() };
    let extremes = [("smallest", &recorded.least), ("largest", &recorded.greatest)];
    let extremes = extremes.into_iter().filter(|_| total.min < total.max);
    let all = extremes.chain([("first NaN", &recorded.nan)]);
    let places = all.filter_map(|(name, execution)| Some(format!("{name} in {}", place(execution.as_ref()?))));
    let places: Vec<String> = places.collect();
    format!(", with {total} in total. {}.", capitalized(&places.join(", ")))
}

/// The elements of an execution, and their summary if not all are shown.
fn elements(shown: &Shown) -> String {
    match &shown.summary {
        None => format!("`{}`", shown.text),
        Some(summary) if summary.is_uniform() => summary.to_string(),
        Some(summary) => format!("{summary}; `{}`", shown.text),
    }
}

fn heading(launch: Option<&str>, is_current: bool) -> String {
    let launch = launch.map_or_else(String::new, |name| format!(" of \"{name}\""));
    let before = if is_current { "" } else { ", before the text changed" };
    format!("**In the last run**{launch}{before}")
}

fn contents(contents: &BufferContents) -> String {
    let BufferContents { summary, first, has_more } = contents;
    if first.is_empty() {
        return "empty".to_string();
    }
    format!("{summary}; `{}{}`", first.join(", "), if *has_more { ", …" } else { "" })
}

fn place(execution: &Execution) -> String {
    let [x, y, z] = execution.block;
    let iterations: Vec<String> = execution.iterations.iter().map(u64::to_string).collect();
    let iterations = match iterations.len() {
        0 => String::new(),
        _ => format!(", iteration {}", iterations.join("/")),
    };
    format!("block ({x}, {y}, {z}){iterations}")
}
