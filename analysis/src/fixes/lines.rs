//! Whether fixes leave more errors on a line than there were.

use super::moves::Moves;
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
pub(super) fn are_disjoint<'e>(lines: &Lines, mut fixes: impl Iterator<Item = &'e [Edit]>) -> bool {
    let mut taken = HashSet::new();
    fixes.all(|edits| {
        let own: HashSet<usize> =
            edits.iter().flat_map(|edit| lines.line(edit.range.start)..=lines.line(edit.range.end)).collect();
        own.into_iter().all(|line| taken.insert(line))
    })
}

/// Whether a diagnostic is an error.
pub(super) fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: u32, end: u32, content: &str) -> Edit {
        Edit { range: start..end, content: content.to_string() }
    }

    #[test]
    fn fixes_of_one_line_are_not_disjoint() {
        let lines = Lines::new("one\ntwo\nthree\n");
        let (first, second, third) = ([edit(0, 1, "")], [edit(4, 5, ""), edit(8, 9, "")], [edit(10, 10, "x")]);
        assert!(are_disjoint(&lines, [&first[..], &second].into_iter()));
        assert!(!are_disjoint(&lines, [&second[..], &third].into_iter()));
    }
}
