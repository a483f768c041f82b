//! Sets of text edits.

use std::ops::Range;

/// A set of edits that are applied together.
#[derive(Clone, Debug, Default)]
pub(super) struct EditSet {
    edits: Vec<(Range<u32>, String)>,
}

impl EditSet {
    /// Replaces a range.
    pub(super) fn replace(&mut self, range: Range<u32>, text: impl Into<String>) {
        self.edits.push((range, text.into()));
    }

    /// Removes a range, including its lines if they contain nothing else.
    pub(super) fn remove(&mut self, text: &str, range: Range<u32>) {
        self.replace(whole_lines(text, range), "");
    }

    /// Adds the edits of another set.
    pub(super) fn extend(&mut self, other: &EditSet) {
        self.edits.extend(other.edits.iter().cloned());
    }

    /// Applies all edits to the text. If two edits overlap, only the one that begins first is applied.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in &self.edits {
            let (start, end) = (range.start as usize, range.end as usize);
            let Some(kept) = text.get(at..start) else { continue };
            out.push_str(kept);
            out.push_str(new);
            at = end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// Extends a range to whole lines if they contain nothing else.
fn whole_lines(text: &str, range: Range<u32>) -> Range<u32> {
    let (start, end) = (range.start as usize, range.end as usize);
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return range };
    let line = before.rfind('\n').map_or(0, |found| found + 1);
    let rest = after.find('\n').map_or(after.len(), |found| found + 1);
    let is_alone = before[line..].trim().is_empty() && after[..rest].trim().is_empty();
    if is_alone { line as u32..(end + rest) as u32 } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let text = "a b\n  c\nd";
        let mut edits = EditSet::default();
        edits.replace(2..3, "x");
        edits.remove(text, 6..7);
        edits.replace(0..1, "yy");
        assert_eq!(edits.clone().apply(text), "yy x\nd");
        // An edit that begins inside another one is dropped.
        edits.replace(0..4, "");
        assert_eq!(edits.apply(text), "d");
    }

    #[test]
    fn a_line_is_removed_only_if_nothing_else_is_on_it() {
        for (text, range, left) in [("a b\n", 0..1, " b\n"), ("a\nb", 2..3, "a\n"), ("a\n b \nc", 3..4, "a\nc")] {
            let mut edits = EditSet::default();
            edits.remove(text, range);
            assert_eq!(edits.apply(text), left);
        }
    }
}
