//! Differences in words.

use tile_diff::report::{Change, EntryDiff, Harmless, Kind, OpDiff};

/// A change in one line: `rounding: zero -> nearest_even`.
pub(super) fn change(change: &Change) -> String {
    let what = match (change.kind, change.name.as_str()) {
        (Kind::Attribute | Kind::Hint | Kind::Operand | Kind::Type | Kind::Value, name) if !name.is_empty() => {
            match change.kind {
                Kind::Type => format!("type of {name}"),
                Kind::Hint => format!("hint {name}"),
                Kind::Value => format!("value{name}"),
                _ => name.to_string(),
            }
        }
        (kind, _) => kind.name().to_string(),
    };
    match (&change.a, &change.b) {
        (Some(a), Some(b)) => format!("{what}: {a} -> {b}"),
        (Some(a), None) => format!("{what}: {a} -> none"),
        (None, Some(b)) => format!("{what}: none -> {b}"),
        (None, None) => what,
    }
}

/// Why an op without counterpart does not change the meaning.
pub(super) fn harmless(why: Harmless) -> &'static str {
    match why {
        Harmless::Unused => "unused",
        Harmless::Repeated => "computed more often",
    }
}

/// The numbers of ops that differ.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) changed: usize,
    pub(super) only_a: usize,
    pub(super) only_b: usize,
    /// Differences that do not change the meaning.
    pub(super) harmless: usize,
}

impl Counts {
    pub(super) fn add(&mut self, op: &OpDiff) {
        match (op.harmless, &op.a, &op.b) {
            (Some(_), ..) => self.harmless += 1,
            (None, Some(_), Some(_)) => self.changed += 1,
            (None, Some(a), None) => self.only_a += a.ops,
            (None, None, b) => self.only_b += b.as_ref().map_or(0, |b| b.ops),
        }
    }

    pub(super) fn of<'e>(entries: impl IntoIterator<Item = &'e EntryDiff>) -> Counts {
        let mut counts = Counts::default();
        entries.into_iter().flat_map(|entry| &entry.ops).for_each(|op| counts.add(op));
        counts
    }

    /// `2 ops changed, 1 only in a.tile`; empty if no op differs.
    pub(super) fn words(self, a: &str, b: &str) -> String {
        let parts = [
            (self.changed, " changed".to_string()),
            (self.only_a, format!(" only in {a}")),
            (self.only_b, format!(" only in {b}")),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let words = parts.enumerate().map(|(index, (count, what))| match (index, count) {
            (0, 1) => format!("1 op{what}"),
            (0, _) => format!("{count} ops{what}"),
            _ => format!("{count}{what}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}
