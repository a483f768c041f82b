//! The profile of a run as a column to the left of the text: the time of each line, and the bytes it reads and writes.

use super::anchor::Anchor;
use super::hints::hint;
use crate::text::{Text, Touched};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::time::Duration;
use tile_backend::worker::profile::OpCost;
use tile_input::size;
use tower_lsp::ls_types::{InlayHint, Position};

/// The marks for the share of the time, from the least to the largest.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The costs of a launch.
#[derive(Debug)]
pub(crate) struct Profile {
    lines: Vec<Line>,
    /// The last line of the entry.
    end: Anchor,
    /// The time of the most expensive line, in nanoseconds.
    most: u64,
    /// The time of all lines, in nanoseconds.
    all: u64,
    /// The widths of the columns.
    widths: [usize; 3],
}

/// The ops of a line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    anchor: Anchor,
    costs: Vec<OpCost>,
}

impl Line {
    /// The costs of ops by line.
    pub(crate) fn all(costs: &[OpCost], text: &Text) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for cost in costs {
            let anchor = Anchor::new(text, cost.range.start);
            match lines.iter_mut().find(|line| line.anchor.line == anchor.line) {
                Some(line) => line.costs.push(cost.clone()),
                None => lines.push(Line { anchor, costs: vec![cost.clone()] }),
            }
        }
        lines
    }

    /// Finds the line in a later text.
    pub(crate) fn in_later(self, text: &Text) -> Option<Line> {
        Some(Line { anchor: self.anchor.in_later(text)?, ..self })
    }

    fn sum(&self, part: fn(&OpCost) -> u64) -> u64 {
        self.costs.iter().map(part).sum()
    }

    fn nanoseconds(&self) -> u64 {
        self.sum(|cost| cost.nanoseconds)
    }

    /// Time, bytes read and bytes written.
    fn cells(&self) -> [String; 3] {
        let bytes = |mark, count| if count == 0 { String::new() } else { format!("{mark}{}", size::shown(count)) };
        [
            duration(self.nanoseconds()),
            bytes("←", self.sum(|cost| cost.read)),
            bytes("→", self.sum(|cost| cost.written)),
        ]
    }

    /// The costs of each op in words.
    fn tooltip(&self, all: u64) -> String {
        let mut text = String::new();
        for OpCost { op, runs, nanoseconds, read, written, .. } in &self.costs {
            let share = 100.0 * *nanoseconds as f64 / all.max(1) as f64;
            let times = if *runs == 1 { "once".to_string() } else { format!("{runs} times") };
            let _ = write!(text, "{op}: ran {times}, {} ({share:.1} %)", duration(*nanoseconds));
            let bytes = [("read", *read), ("wrote", *written)].into_iter().filter(|(_, count)| *count > 0);
            bytes.for_each(|(verb, count)| {
                let _ = write!(text, ", {verb} {}", size::shown(count));
            });
            text.push('\n');
        }
        text + "on the CPU engine, summed over all cores"
    }
}

impl Profile {
    /// The profile of an entry that ends with a line; `None` if there are no costs.
    pub(crate) fn new(mut lines: Vec<Line>, end: Anchor) -> Option<Profile> {
        lines.sort_by_key(|line| line.anchor.line);
        let most = lines.iter().map(Line::nanoseconds).max()?;
        let all = lines.iter().map(Line::nanoseconds).sum();
        let width = |column: usize| lines.iter().map(|line| line.cells()[column].chars().count()).max().unwrap_or(0);
        let widths = std::array::from_fn(width);
        Some(Profile { lines, end, most, all, widths })
    }

    /// Follows a change of the text.
    pub(crate) fn shift(&mut self, touched: &Touched, text: &Text) {
        self.lines.retain_mut(|line| line.anchor.shift(touched, text));
        if !self.end.shift(touched, text) {
            self.end.line = self.lines.last().map_or(0, |line| line.anchor.line);
        }
    }

    /// A hint at the start of each line from the first op to the end of the entry, so that the text stays aligned.
    pub(crate) fn hints(&self, visible: &RangeInclusive<usize>) -> Vec<InlayHint> {
        let Some(first) = self.lines.first() else { return Vec::new() };
        let shown = first.anchor.line.max(*visible.start())..=self.end.line.min(*visible.end());
        shown.map(|number| self.hint(number)).collect()
    }

    fn hint(&self, number: usize) -> InlayHint {
        let line = self.lines.iter().find(|line| line.anchor.line == number);
        let cells = line.map_or_else(Default::default, Line::cells);
        let share = line.map_or(0, |line| line.nanoseconds() * 8 / self.most.max(1));
        let mut label = BARS[(share as usize).min(8)].to_string();
        for (cell, width) in cells.iter().zip(self.widths).filter(|(_, width)| *width > 0) {
            let _ = write!(label, " {cell:>width$}");
        }
        let position = Position::new(number as u32, 0);
        let hint = hint(position, label, line.map(|line| line.tooltip(self.all)));
        InlayHint { padding_left: None, padding_right: Some(true), ..hint }
    }
}

fn duration(nanoseconds: u64) -> String {
    match Duration::from_nanos(nanoseconds) {
        short if short < Duration::from_micros(1) => format!("{short:?}"),
        time => format!("{time:.1?}"),
    }
}
