//! Whether fixes leave more errors on a line than there were.

use crate::diagnostic::{Diagnostic, Edit, Severity, TOO_MANY};
use crate::lines::Lines;
use std::collections::{HashMap, HashSet};

/// Whether no line has more errors after edits than before. `text` is the new text. Lines on which `before` has no
/// errors do not count if it reports only some: the others may have had errors as well.
pub(super) fn none_is_worse(before: &[Diagnostic], edits: &[Edit], text: &str, after: &[Diagnostic]) -> bool {
    let (lines, moves) = (Lines::new(text), Moves::of(edits));
    let is_partial = before.iter().any(|found| found.notes.iter().any(|note| note == TOO_MANY));
    let mut left: HashMap<usize, usize> = HashMap::new();
    for found in before.iter().filter(|found| is_error(found)) {
        *left.entry(lines.line(moves.after(found.range.start))).or_default() += 1;
    }
    let had_errors: HashSet<usize> = left.keys().copied().collect();
    after.iter().filter(|found| is_error(found)).all(|found| {
        let line = lines.line(found.range.start);
        match left.get_mut(&line).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                true
            }
            None => is_partial && !had_errors.contains(&line),
        }
    })
}

/// Whether each line of a text is changed by at most one of several fixes.
pub(super) fn are_disjoint<'e>(lines: &Lines, fixes: impl Iterator<Item = &'e [Edit]>) -> bool {
    let mut taken = HashSet::new();
    fixes.into_iter().all(|edits| {
        let own: HashSet<usize> =
            edits.iter().flat_map(|edit| lines.line(edit.range.start)..=lines.line(edit.range.end)).collect();
        own.into_iter().all(|line| taken.insert(line))
    })
}

pub(super) fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

/// Where edits, which must not overlap, move the rest of a text.
pub(super) struct Moves {
    /// The edits' ranges, and by how many bytes the text up to each has grown, in order.
    edits: Vec<(u32, u32, i64)>,
}

impl Moves {
    pub(super) fn of(edits: &[Edit]) -> Moves {
        let mut sorted: Vec<&Edit> = edits.iter().collect();
        sorted.sort_by_key(|edit| (edit.range.end, edit.range.start));
        let mut grown = 0;
        let moved = sorted.into_iter().map(|edit| {
            grown += edit.content.len() as i64 - edit.range.len() as i64;
            (edit.range.start, edit.range.end, grown)
        });
        Moves { edits: moved.collect() }
    }

    /// The new offset of an offset: that of the new content if it is inside an edit.
    pub(super) fn after(&self, offset: u32) -> u32 {
        let next = self.edits.partition_point(|(_, end, _)| *end <= offset);
        let grown = next.checked_sub(1).map_or(0, |last| self.edits[last].2);
        let kept = self.edits.get(next).map_or(offset, |(start, ..)| offset.min(*start));
        (i64::from(kept) + grown) as u32
    }

    /// An edit of the old text as an edit of the new one. It must not touch the other edits.
    pub(super) fn moved(&self, edit: &Edit) -> Edit {
        Edit { range: self.after(edit.range.start)..self.after(edit.range.end), ..edit.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, content: &str) -> Edit {
        Edit { range: start..end, content: content.to_string() }
    }

    #[test]
    fn offsets_move_with_the_text() {
        let moves = Moves::of(&[edit(10, 14, "x"), edit(2, 2, "abc")]);
        let all = [(0, 0), (2, 5), (9, 12), (10, 13), (12, 13), (14, 14), (20, 20)];
        for (old, new) in all {
            assert_eq!(moves.after(old), new, "{old}");
        }
        assert_eq!(moves.moved(&edit(4, 6, "y")).range, 7..9);
    }

    #[test]
    fn fixes_of_one_line_are_not_disjoint() {
        let lines = Lines::new("one\ntwo\nthree\n");
        let (first, second, third) = ([edit(0, 1, "")], [edit(4, 5, ""), edit(8, 9, "")], [edit(10, 10, "x")]);
        assert!(are_disjoint(&lines, [&first[..], &second].into_iter()));
        assert!(!are_disjoint(&lines, [&second[..], &third].into_iter()));
    }
}
