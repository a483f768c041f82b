//! What looking ahead for an `=` has found, so that it is not looked for again at every token.

use std::cell::Cell;

/// The last runs of tokens that were looked through for an `=`. Garbage such as `%a, %a, …` asks at every token of the
/// run, and the answer is the same at each.
#[derive(Default)]
pub(super) struct Lookahead {
    /// What was found from a token on that is the first on its line, and from one that is not.
    assignments: [Cell<(usize, usize, bool)>; 2],
    left_side: Cell<(usize, usize)>,
}

impl Lookahead {
    /// The answer of `scan` for the value at `at`; `scan` gives the end of the run too.
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

    /// Where the run of tokens ends that `at` is in.
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
