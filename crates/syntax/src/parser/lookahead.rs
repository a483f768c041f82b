//! A cache for looking ahead for an `=`, so that the search is not repeated at every token.

use std::cell::Cell;

/// The last token runs that were searched for an `=`. In malformed text such as `%a, %a, …` the parser repeats the
/// search at every token of the run, with the same result.
#[derive(Default)]
pub(super) struct Lookahead {
    /// The results for a run whose first token does not start a line, and for one whose first token does.
    assignments: [Cell<(usize, usize, bool)>; 2],
    left_side: Cell<(usize, usize)>,
}

impl Lookahead {
    /// Whether the value at `at` starts an assignment. `scan` returns the end of the run and the answer.
    pub(super) fn assignment(&self, at: usize, is_first_on_line: bool, scan: impl FnOnce() -> (usize, bool)) -> bool {
        let cached = &self.assignments[usize::from(is_first_on_line)];
        let (start, end, found) = cached.get();
        if (start..end).contains(&at) {
            return found;
        }
        let (end, found) = scan();
        cached.set((at, end, found));
        found
    }

    /// The end of the run of tokens that contains `at`.
    pub(super) fn left_side_end(&self, at: usize, scan: impl FnOnce() -> usize) -> usize {
        let (start, end) = self.left_side.get();
        if (start..end).contains(&at) {
            return end;
        }
        let end = scan();
        self.left_side.set((at, end));
        end
    }
}
