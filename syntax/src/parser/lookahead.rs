//! A cache for looking ahead for an `=`, so that the search is not repeated at every token.

use std::cell::Cell;

/// The last runs of tokens that were searched for an `=`. Garbage such as `%a, %a, …` asks at every token of the run,
/// and the answer is always the same.
#[derive(Default)]
pub(super) struct Lookahead {
    /// The results for a token that is the first on its line, and for one that is not.
    assignments: [Cell<(usize, usize, bool)>; 2],
    left_side: Cell<(usize, usize)>,
}

impl Lookahead {
    /// Returns the cached result for the value at `at`, or calls `scan`, which also returns the end of the run.
    pub(super) fn assignment(&self, at: usize, is_first_on_line: bool, scan: impl FnOnce() -> (usize, bool)) -> bool {
        let known = &self.assignments[usize::from(is_first_on_line)];
        let (start, end, found) = known.get();
        if (start..end).contains(&at) {
            return found;
        }
        let (end, found) = scan();
        known.set((at, end, found));
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
