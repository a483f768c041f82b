//! Applying the fixes of all diagnostics of a text at once, for `tile check --fix` and for the editors' "fix all":
//! - a fix is kept only if it does not increase the number of errors; it may reveal one error in place of another;
//! - fixes offered only after others have been applied are applied too, so a second run changes nothing;
//! - the returned edits refer to the original text: fixes that touch each other become one edit.

mod lines;
mod moves;
mod pieces;

use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::lines::Lines;
use lines::is_error;
use moves::Moves;
use pieces::Pieces;
use std::collections::BTreeMap;

/// The result of applying fixes.
#[derive(Debug)]
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// The edits that turn the old text into the new one, in order; ranges are byte offsets in the old text.
    pub edits: Vec<Edit>,
    /// The diagnostics of the new text.
    pub left: Vec<Diagnostic>,
}

/// The maximum number of rounds. Each fixes what the previous one revealed; more than two are rare.
const MAX_ROUNDS: usize = 50;

/// Returns the fix of a diagnostic to apply without asking: the only safe one, or the only fix if `allowed` includes
/// unsafe ones.
pub fn chosen(fixes: &[Fix], allowed: Applicability) -> Option<&Fix> {
    let mut safe = fixes.iter().filter(|fix| fix.applicability == Applicability::Safe);
    match (safe.next(), safe.next(), fixes) {
        (Some(only), None, _) => Some(only),
        (None, _, [only]) if allowed == Applicability::Unsafe => Some(only),
        _ => None,
    }
}

/// Applies the safe fixes of a text's diagnostics, and the unsafe ones if `allowed` includes them. `check` returns the
/// diagnostics of a text. Returns `None` if nothing changes.
pub fn fix_all(
    text: &str,
    found: &[Diagnostic],
    allowed: Applicability,
    check: impl Fn(&str) -> Vec<Diagnostic>,
) -> Option<Fixed> {
    let (pieces, left, lines) = (Pieces::new(text.len()), found.to_vec(), Lines::new(text));
    let mut state = State { original: text, pieces, left, lines, check: &check };
    for _ in 0..MAX_ROUNDS {
        let mut made = Vec::new();
        state.lines = Lines::new(&state.pieces.text(text));
        state.accept(&candidates(&state.left, allowed), &mut made);
        if made.is_empty() {
            break;
        }
    }
    let edits = state.pieces.edits(text);
    (!edits.is_empty()).then(|| Fixed { text: state.pieces.text(text), edits, left: state.left })
}

/// A fix to try.
struct Candidate {
    edits: Vec<Edit>,
    /// The number of errors it should fix: one or zero.
    errors: usize,
}

/// Returns the fixes to apply. Of fixes that touch each other, only the first is kept.
fn candidates(found: &[Diagnostic], allowed: Applicability) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    let mut taken = BTreeMap::new();
    for found in found {
        let Some(fix) = chosen(&found.fixes, allowed) else { continue };
        let touches = |edit: &Edit| {
            let before = taken.range(..=edit.range.end).next_back();
            before.is_some_and(|(_, &end)| end >= edit.range.start)
        };
        if !fix.edits.iter().any(touches) {
            taken.extend(fix.edits.iter().map(|edit| (edit.range.start, edit.range.end)));
            let errors = usize::from(is_error(found));
            kept.push(Candidate { edits: fix.edits.clone(), errors });
        }
    }
    kept
}

/// The text while fixes are being applied.
struct State<'s> {
    original: &'s str,
    pieces: Pieces,
    left: Vec<Diagnostic>,
    /// The lines of the text at the start of the round.
    lines: Lines,
    check: &'s dyn Fn(&str) -> Vec<Diagnostic>,
}

impl State<'_> {
    /// Applies fixes whose ranges refer to the text before the edits in `made`, which are those of this round. If they
    /// fix fewer errors than they should, and some line has more errors than before, tries each half separately.
    fn accept(&mut self, fixes: &[Candidate], made: &mut Vec<Edit>) {
        let mut edits: Vec<Edit> = fixes.iter().flat_map(|fix| fix.edits.clone()).collect();
        Edit::sort(&mut edits);
        // A single fix may reveal another error in place of the one it fixes.
        let expected = if fixes.len() == 1 { 0 } else { fixes.iter().map(|fix| fix.errors).sum() };
        let moves = Moves::of(made);
        let moved: Vec<Edit> = edits.iter().map(|edit| moves.moved(edit)).collect();
        if edits.is_empty() || self.apply(&moved, expected, fixes) {
            made.append(&mut edits);
        } else if fixes.len() > 1 {
            let (first, second) = fixes.split_at(fixes.len() / 2);
            self.accept(first, made);
            self.accept(second, made);
        }
    }

    /// Applies the edits of fixes if they change the text, and either fix at least `expected` errors, or reveal at most
    /// as many on each line as they fix there. Returns whether they were applied.
    fn apply(&mut self, edits: &[Edit], expected: usize, fixes: &[Candidate]) -> bool {
        let mut pieces = self.pieces.clone();
        pieces.apply(edits);
        let text = pieces.text(self.original);
        if text == self.pieces.text(self.original) {
            return false;
        }
        let left = (self.check)(&text);
        // If two fixes change a line, one could hide what the other one breaks.
        let are_disjoint = || lines::are_disjoint(&self.lines, fixes.iter().map(|fix| &fix.edits[..]));
        let is_better = errors(&left) + expected <= errors(&self.left)
            || are_disjoint() && lines::none_is_worse(&self.left, edits, &text, &left);
        if is_better {
            (self.pieces, self.left) = (pieces, left);
        }
        is_better
    }
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| is_error(found)).count()
}

/// Applies edits, which must be in order, to a text.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut pieces = Pieces::new(text.len());
    pieces.apply(edits);
    pieces.text(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Options;
    use crate::db;

    fn check(text: &str) -> Vec<Diagnostic> {
        let db = db::Database::default();
        db::diagnostics(&db, db::File::new(&db, text.into(), Options::default()))
    }

    fn fixed(text: &str, allowed: Applicability) -> Fixed {
        fix_all(text, &check(text), allowed, check).expect("something to fix")
    }

    #[test]
    fn safe_fixes_are_applied_and_guesses_are_not() {
        let body = [
            "%a = constant <f32: 1.0> : tile<f32>",
            "%b = pow %a, %a : tile<f32>",
            "print \"hello\"",
            "%c = iotta : tile<8xi32>",
        ];
        let text = format!("cuda_tile.module @m {{\n  entry @k() {{\n    {}\n  }}\n}}\n", body.join("\n    "));
        assert_eq!(check(&text).len(), 3);
        let safe = fixed(&text, Applicability::Safe);
        assert!(safe.text.contains("%b = fpowf %a") && safe.text.contains("print_tko \"hello\""), "{}", safe.text);
        assert!(safe.text.contains("iotta"), "{}", safe.text);
        assert_eq!((safe.edits.len(), safe.left.len()), (3, 1));
        assert_eq!(apply(&text, &safe.edits), safe.text);
        assert!(fix_all(&safe.text, &safe.left, Applicability::Safe, check).is_none());
        assert!(fixed(&text, Applicability::Unsafe).left.is_empty());
    }

    /// The text after the fixes of an entry with many lines, and how often it was checked.
    fn of_many_lines(count: usize, line: &str) -> (String, usize) {
        let lines: String =
            (0..count).map(|number| format!("{}\n", line.replace("%r", &format!("%r{number}")))).collect();
        let text = format!("cuda_tile.module @m {{\nentry @k(%x: tile<i32>) {{\n{lines}}}\n}}\n");
        let checks = std::cell::Cell::new(0);
        let counted = |text: &str| {
            checks.set(checks.get() + 1);
            check(text)
        };
        let fixed = fix_all(&text, &check(&text), Applicability::Safe, counted).expect("something to fix");
        (fixed.text, checks.get())
    }

    #[test]
    fn a_fix_of_each_line_that_reveals_an_error_there_needs_few_checks() {
        let (text, checks) = of_many_lines(300, "%r = addi %x %x : tile<f32>");
        assert!(text.matches("addi %x, %x").count() == 300 && checks < 10, "{checks}");
    }

    #[test]
    fn errors_beyond_the_maximum_need_few_checks() {
        let count = tile_syntax::MAX_ERRORS + 100;
        let (text, checks) = of_many_lines(count, "%r = addi %x %x : tile<i32>");
        assert!(text.matches("addi %x, %x").count() == count && checks < 10, "{checks}");
    }

    /// Returns an invented diagnostic with a safe fix.
    fn invented(range: std::ops::Range<u32>, content: &str) -> Diagnostic {
        let page = crate::diagnostics::PAGES[0];
        Diagnostic::new(page, range.clone(), "invented").safe_fix("fix it", range, content)
    }

    #[test]
    fn fixes_that_add_errors_are_skipped_and_the_others_kept() {
        // Every `a` is an error whose fix is `bb`; a `b` after an `x` counts as three errors.
        let check = |text: &str| -> Vec<Diagnostic> {
            let mut found = Vec::new();
            for (at, c) in text.char_indices() {
                let place = at as u32..at as u32 + 1;
                match c {
                    'a' => found.push(invented(place, "bb")),
                    'b' if text[..at].ends_with('x') => {
                        found.extend([(); 3].map(|()| Diagnostic::new(crate::diagnostics::PAGES[0], place.clone(), "")))
                    }
                    _ => {}
                }
            }
            found
        };
        let text = "a a xa a a xa a";
        let fixed = fix_all(text, &check(text), Applicability::Safe, check).expect("some fixes apply");
        assert_eq!(fixed.text, "bb bb xa bb bb xa bb");
        assert_eq!(fixed.edits.len(), 5);
        assert_eq!(apply(text, &fixed.edits), fixed.text);
    }
}
