//! The mapping between ops and lines.

use crate::prepare::Prepared;
use tile_analysis::ir::{Body, OpId, Value};
use tile_analysis::lines::{Lines, Position};
use tile_backend::debug::{Nesting, ValuesInScope};
use tile_backend::worker::trace::Names;
use tile_launch::find::EntryLaunches;

/// The program of a debugged run.
pub(crate) struct Source {
    /// The path that the editor uses.
    pub(crate) path: String,
    text: String,
    lines: Lines,
    entry: EntryLaunches,
    pub(crate) nesting: Nesting,
}

impl Source {
    pub(crate) fn new(path: String, prepared: &Prepared) -> Source {
        let text = prepared.job.text.clone();
        let (lines, entry) = (Lines::new(&text), prepared.entry.clone());
        Source { path, text, lines, nesting: Nesting::of(&entry.entry), entry }
    }

    pub(crate) fn body(&self) -> &Body {
        &self.entry.entry
    }

    /// The position of an offset.
    pub(crate) fn place(&self, offset: u32) -> Position {
        self.lines.place(offset, &self.text)
    }

    /// The position of an op's name.
    pub(crate) fn op(&self, op: OpId) -> Position {
        let name = self.entry.spans.op_names.get(op.0 as usize).unwrap_or(&self.entry.spans.name);
        self.place(name.start + self.entry.start)
    }

    /// An op's name.
    pub(crate) fn op_name(&self, op: OpId) -> &'static str {
        self.body().op(op).op.row().name
    }

    /// The position of the entry's name.
    pub(crate) fn entry(&self) -> Position {
        self.place(self.entry.name.start)
    }

    /// The first op on a line or after it, if the line belongs to the entry.
    pub(crate) fn op_on(&self, row: u32) -> Option<OpId> {
        let rows = (0..self.body().ops.len() as u32).map(OpId).map(|op| (self.op(op), op));
        let place = |place: Position| (place.row, place.column);
        let following = rows.filter(|(found, _)| found.row >= row && self.entry().row <= row);
        following.min_by_key(|(found, _)| place(*found)).map(|(_, op)| op)
    }

    /// A value's name, with `%`.
    pub(crate) fn name(&self, value: Value) -> String {
        self.names().name(value)
    }

    /// Calls `f` with the values in scope at an op.
    pub(crate) fn with_scope<T>(&self, op: OpId, f: impl FnOnce(&ValuesInScope<'_>) -> T) -> T {
        f(&ValuesInScope::at(op, self.body(), &self.nesting, &self.names()))
    }

    /// Calls `f` with the parameters of the entry.
    pub(crate) fn with_parameters<T>(&self, f: impl FnOnce(&ValuesInScope<'_>) -> T) -> T {
        let first = self.body().regions.first().and_then(|region| region.ops.first());
        self.with_scope(first.copied().unwrap_or(OpId(0)), f)
    }

    fn names(&self) -> Names<'_> {
        Names::new(&self.entry.spans, &self.text, self.entry.start)
    }
}
