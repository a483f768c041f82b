//! The results of runs in a document: printed text, findings, verdicts, profiles, and what values held. Those at a line
//! move with it, and disappear when its text changes.

pub(crate) mod anchor;
mod hints;
pub(crate) mod profile;

use crate::text::{Text, Touched};
use anchor::Anchor;
use hints::{fenced, hint};
use profile::Profile;
use std::ops::Range;
use tile_backend::worker::recorded::RecordedValue;
use tile_runner::held::{BufferAt, Held, ValueAt};
use tower_lsp::ls_types::{Diagnostic, DiagnosticSeverity, InlayHint, NumberOrString, Range as PositionRange};

/// The source of the diagnostics of runs.
pub(crate) const RUN_SOURCE: &str = "tile run";

/// How much printed text is kept for an op, in bytes.
const KEPT: usize = 32 << 10;

/// How many characters of it are shown next to the line.
const SHOWN: usize = 100;

/// The results of a document's runs.
#[derive(Debug, Default)]
pub(crate) struct RunResults {
    runs: Vec<LastRun>,
}

/// The results of one run.
#[derive(Debug)]
struct LastRun {
    entry: String,
    launch: Option<String>,
    printed: Vec<Printed>,
    marks: Vec<Mark>,
    verdict: Option<(Anchor, String)>,
    profile: Option<Profile>,
    held: Option<Held>,
}

/// The results of a run when it has ended.
#[derive(Debug, Default)]
pub(crate) struct RunEnd {
    pub(crate) marks: Vec<Mark>,
    pub(crate) verdict: Option<(Anchor, String)>,
    pub(crate) profile: Option<Profile>,
    pub(crate) held: Option<Held>,
}

#[derive(Debug)]
struct Printed {
    anchor: Anchor,
    text: String,
    /// The number of printed bytes that are not kept.
    more: usize,
}

/// A finding or a failed expectation.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    anchor: Anchor,
    /// The location in the line's text, in bytes.
    columns: Range<usize>,
    code: Option<String>,
    message: String,
}

impl Mark {
    /// A mark for a range of bytes. If the range spans lines, the mark ends with the first one.
    pub(crate) fn new(text: &Text, range: &Range<u32>, code: Option<String>, message: String) -> Mark {
        let anchor = Anchor::new(text, range.start);
        let start = anchor.start(text);
        let from = (range.start as usize).saturating_sub(start);
        let to = (range.end as usize).saturating_sub(start).min(anchor.text.len());
        Mark { columns: from..to.max(from), anchor, code, message }
    }

    /// Finds the mark in a later text.
    pub(crate) fn in_later(self, text: &Text) -> Option<Mark> {
        Some(Mark { anchor: self.anchor.in_later(text)?, ..self })
    }

    fn diagnostic(&self, text: &Text) -> Diagnostic {
        let start = self.anchor.start(text) as u32;
        let range = start + self.columns.start as u32..start + self.columns.end as u32;
        Diagnostic {
            range: text.range(&range),
            severity: Some(DiagnosticSeverity::ERROR),
            code: self.code.clone().map(NumberOrString::String),
            source: Some(RUN_SOURCE.to_string()),
            message: self.message.clone(),
            ..Diagnostic::default()
        }
    }
}

impl RunResults {
    /// Starts a run: drops what earlier runs of the entry printed and measured, and the findings of this launch.
    pub(crate) fn begin(&mut self, entry: &str, launch: Option<&str>) {
        self.runs.retain(|run| run.entry != entry || run.launch.as_deref() != launch);
        self.runs.iter_mut().filter(|run| run.entry == entry).for_each(|run| {
            run.printed.clear();
            run.profile = None;
        });
        self.runs.push(LastRun {
            entry: entry.to_string(),
            launch: launch.map(str::to_string),
            printed: Vec::new(),
            marks: Vec::new(),
            verdict: None,
            profile: None,
            held: None,
        });
    }

    fn run(&mut self, entry: &str, launch: Option<&str>) -> Option<&mut LastRun> {
        self.runs.iter_mut().rfind(|run| run.entry == entry && run.launch.as_deref() == launch)
    }

    /// Adds printed text to a line.
    pub(crate) fn print(&mut self, entry: &str, launch: Option<&str>, anchor: Anchor, text: &str) {
        let Some(run) = self.run(entry, launch) else { return };
        let index = run.printed.iter().position(|printed| printed.anchor.line == anchor.line);
        let index = index.unwrap_or_else(|| {
            run.printed.push(Printed { anchor, text: String::new(), more: 0 });
            run.printed.len() - 1
        });
        let printed = &mut run.printed[index];
        if printed.text.len() < KEPT { printed.text.push_str(text) } else { printed.more += text.len() }
    }

    /// Stores the results of a run.
    pub(crate) fn end(&mut self, entry: &str, launch: Option<&str>, end: RunEnd) {
        if let Some(run) = self.run(entry, launch) {
            let RunEnd { marks, verdict, profile, held } = end;
            (run.marks, run.verdict, run.profile, run.held) = (marks, verdict, profile, held);
        }
    }

    /// Stores what the values of a run held, and why later executions are missing.
    pub(crate) fn hold(&mut self, entry: &str, launch: Option<&str>, values: Vec<RecordedValue>, cut: Option<String>) {
        if let Some(held) = self.run(entry, launch).and_then(|run| run.held.as_mut()) {
            (held.values, held.cut) = (values, cut);
        }
    }

    /// The entry and the launch of each run, the last one at the end.
    pub(crate) fn launches(&self) -> Vec<(String, Option<String>)> {
        self.runs.iter().map(|run| (run.entry.clone(), run.launch.clone())).collect()
    }

    /// Describes what a value of an entry held in the last run.
    pub(crate) fn value(&self, entry: &str, at: &ValueAt) -> Option<String> {
        let run = self.runs.iter().rfind(|run| run.entry == entry)?;
        run.held.as_ref()?.value(at, run.launch.as_deref())
    }

    /// Describes the contents of a buffer of a launch before and after its last run.
    pub(crate) fn buffer(&self, at: &BufferAt) -> Option<String> {
        let run = self.runs.iter().rfind(|run| run.entry == at.entry && run.launch == at.launch)?;
        run.held.as_ref()?.buffer(at)
    }

    /// Everything that the ops of a line have printed.
    pub(crate) fn printed(&self, line: usize) -> Option<String> {
        let printed = self.runs.iter().flat_map(|run| &run.printed).filter(|printed| printed.anchor.line == line);
        let text: String = printed.map(Printed::all).collect();
        (!text.is_empty()).then(|| fenced(text.trim_end()))
    }

    /// Follows a change of the text.
    pub(crate) fn shift(&mut self, touched: &Touched, text: &Text) {
        for run in &mut self.runs {
            run.printed.retain_mut(|printed| printed.anchor.shift(touched, text));
            run.marks.retain_mut(|mark| mark.anchor.shift(touched, text));
            run.verdict.take_if(|(anchor, _)| !anchor.shift(touched, text));
            run.profile.iter_mut().for_each(|profile| profile.shift(touched, text));
        }
    }

    /// The findings of all runs.
    pub(crate) fn diagnostics(&self, text: &Text) -> Vec<Diagnostic> {
        self.runs.iter().flat_map(|run| &run.marks).map(|mark| mark.diagnostic(text)).collect()
    }

    /// Inlay hints for the lines of a range: printed text and verdicts.
    pub(crate) fn hints(&self, text: &Text, range: &PositionRange) -> Vec<InlayHint> {
        let lines = range.start.line as usize..=range.end.line as usize;
        let printed = self.runs.iter().flat_map(|run| &run.printed).map(|printed| (&printed.anchor, printed.hint()));
        let verdicts = self.runs.iter().filter_map(|run| run.verdict.as_ref());
        let verdicts = verdicts.map(|(anchor, text)| (anchor, (text.clone(), None)));
        let shown = printed.chain(verdicts).filter(|(anchor, _)| lines.contains(&anchor.line));
        shown.map(|(anchor, (label, tooltip))| hint(text.line_end(anchor.line), label, tooltip)).collect()
    }

    /// Inlay hints for the lines of a range that show profiles.
    pub(crate) fn profile_hints(&self, range: &PositionRange) -> Vec<InlayHint> {
        let lines = range.start.line as usize..=range.end.line as usize;
        self.runs.iter().filter_map(|run| run.profile.as_ref()).flat_map(|profile| profile.hints(&lines)).collect()
    }
}

impl Printed {
    /// The label, and the whole text as the tooltip.
    fn hint(&self) -> (String, Option<String>) {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut label = String::new();
        let mut shown = 0;
        for line in &lines {
            let between = if shown == 0 { "" } else { " ⏎ " };
            if shown > 0 && label.chars().count() + between.len() + line.chars().count() > SHOWN {
                break;
            }
            label.push_str(between);
            label.push_str(line.trim_end());
            shown += 1;
        }
        if let Some((cut, _)) = label.char_indices().nth(SHOWN) {
            label.truncate(cut);
            label.push('…');
        }
        match (lines.len() - shown, self.more) {
            (0, 0) => {}
            (1, 0) => label.push_str(" … +1 line"),
            (hidden, 0) => label += &format!(" … +{hidden} lines"),
            _ => label.push_str(" … and more"),
        }
        (label, Some(self.all()))
    }

    /// The whole text.
    fn all(&self) -> String {
        match self.more {
            0 => self.text.clone(),
            more => format!("{}\n… and {more} more bytes", self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Encoding;
    use tower_lsp::ls_types::{InlayHintLabel, Position, TextDocumentContentChangeEvent};

    struct Fixture {
        text: Text,
        results: RunResults,
    }

    impl Fixture {
        fn new() -> Fixture {
            let text = Text::new("a\n  print b\nc\n", Encoding::Utf16);
            let mut results = RunResults::default();
            results.begin("k", None);
            results.print("k", None, Anchor::new(&text, 4), "one\n");
            results.print("k", None, Anchor::new(&text, 4), "two\n");
            let mark = Mark::new(&text, &(10..11), Some("R1".into()), "bad".into());
            results.end("k", None, RunEnd { marks: vec![mark], ..RunEnd::default() });
            Fixture { text, results }
        }

        fn change(&mut self, range: Option<[u32; 4]>, text: &str) -> &mut Fixture {
            let range = range.map(|[a, b, c, d]| PositionRange::new(Position::new(a, b), Position::new(c, d)));
            let change = TextDocumentContentChangeEvent { range, range_length: None, text: text.to_string() };
            let touched = self.text.apply(&change);
            self.results.shift(&touched, &self.text);
            self
        }

        /// The lines of the hints, and the positions of the diagnostics.
        fn places(&self) -> (Vec<u32>, Vec<(u32, u32)>) {
            let all = PositionRange::new(Position::new(0, 0), Position::new(99, 0));
            let hints = self.results.hints(&self.text, &all);
            let marks = self.results.diagnostics(&self.text);
            (
                hints.iter().map(|hint| hint.position.line).collect(),
                marks.iter().map(|mark| (mark.range.start.line, mark.range.start.character)).collect(),
            )
        }
    }

    #[test]
    fn printed_lines_are_joined() {
        let fixture = Fixture::new();
        let all = PositionRange::new(Position::new(0, 0), Position::new(9, 0));
        let hints = fixture.results.hints(&fixture.text, &all);
        assert!(matches!(&hints[0].label, InlayHintLabel::String(label) if label == "one ⏎ two"));
        assert_eq!(hints[0].position, Position::new(1, 9));
        assert_eq!(fixture.places(), (vec![1], vec![(1, 8)]));
    }

    #[test]
    fn results_move_with_their_line() {
        assert_eq!(Fixture::new().change(Some([0, 0, 0, 0]), "x\ny\n").places(), (vec![3], vec![(3, 8)]));
        assert_eq!(Fixture::new().change(Some([2, 0, 2, 1]), "").places(), (vec![1], vec![(1, 8)]));
        assert_eq!(Fixture::new().change(Some([1, 0, 1, 0]), "\n").places(), (vec![2], vec![(2, 8)]));
        assert_eq!(Fixture::new().change(Some([1, 9, 1, 9]), "\n").places(), (vec![1], vec![(1, 8)]));
        assert_eq!(Fixture::new().change(Some([0, 1, 1, 0]), "").places(), (vec![], vec![]));
        // A formatter that indents a line, and one that sends the whole text.
        assert_eq!(Fixture::new().change(Some([1, 0, 1, 2]), "").places(), (vec![1], vec![(1, 6)]));
        assert_eq!(Fixture::new().change(None, "z\n\na\n    print b\n").places(), (vec![3], vec![(3, 10)]));
    }

    #[test]
    fn results_disappear_when_their_line_changes() {
        assert_eq!(Fixture::new().change(Some([1, 8, 1, 9]), "x").places(), (vec![], vec![]));
        assert_eq!(Fixture::new().change(Some([0, 0, 2, 0]), "").places(), (vec![], vec![]));
    }

    #[test]
    fn another_launch_of_the_entry_replaces_the_printed_text() {
        let mut fixture = Fixture::new();
        fixture.results.begin("k", Some("big"));
        assert_eq!(fixture.places(), (vec![], vec![(1, 8)]));
        fixture.results.begin("k", None);
        assert_eq!(fixture.places(), (vec![], vec![]));
    }

    #[test]
    fn long_output_is_cut() {
        let mut fixture = Fixture::new();
        fixture.results.begin("k", None);
        for _ in 0..40_000 {
            fixture.results.print("k", None, Anchor::new(&fixture.text, 4), "0123456789\n");
        }
        let all = PositionRange::new(Position::new(0, 0), Position::new(9, 0));
        let hints = fixture.results.hints(&fixture.text, &all);
        let InlayHintLabel::String(label) = &hints[0].label else { panic!("a string") };
        assert!(label.starts_with("0123456789 ⏎ 0123456789") && label.ends_with("… and more"), "{label}");
        assert!(label.chars().count() < SHOWN + 20);
    }
}
