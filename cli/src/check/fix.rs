//! Mending a text by the fixes of its diagnostics.
//!
//! The fix of a lint changes how something is written, not what it means: it is safe. The fix of an error decides what
//! was meant: it is made only on request, and only where there is one.

use super::program::is_safe;
use crate::output;
use std::path::Path;
use tile_analysis::diagnostic::{Diagnostic, Edit, Severity};

/// A text with what could be mended mended.
pub(super) struct Mended {
    pub(super) text: String,
    /// How many diagnostics were mended.
    pub(super) count: usize,
    /// What there is to tell about it still.
    pub(super) left: Vec<Diagnostic>,
}

/// How often what is mended is looked at again: a fix may lead to another.
const ROUNDS: usize = 10;

/// Mends a text of which `found` is known. `None` where there is nothing to mend. `guess` says whether errors are mended
/// too; `check` tells what there is to tell about a text.
pub(super) fn mend(
    text: &str,
    found: &[Diagnostic],
    guess: bool,
    check: impl Fn(&str) -> Vec<Diagnostic>,
) -> Option<Mended> {
    let mut mended = Mended { text: text.to_string(), count: 0, left: found.to_vec() };
    for _ in 0..ROUNDS {
        let (next, count) = apply(&mended.text, &mended.left, guess);
        if count == 0 {
            break;
        }
        let left = check(&next);
        if errors(&left) > errors(&mended.left) {
            break; // what was to mend it breaks it
        }
        mended = Mended { text: next, count: mended.count + count, left };
    }
    (mended.count > 0).then_some(mended)
}

fn errors(found: &[Diagnostic]) -> usize {
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// A text with the fixes that do not get in each other's way, and how many they are.
fn apply(text: &str, found: &[Diagnostic], guess: bool) -> (String, usize) {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut count = 0;
    for diagnostic in found {
        let [fix] = &diagnostic.fixes[..] else { continue };
        let is_wanted = is_safe(diagnostic.page) || guess;
        let is_free = |edit: &Edit| edits.iter().all(|other| !meet(other, edit));
        if is_wanted && fix.edits.iter().all(is_free) {
            edits.extend(&fix.edits);
            count += 1;
        }
    }
    edits.sort_by_key(|edit| edit.range.start);
    let (mut mended, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        mended += &text[at..edit.range.start as usize];
        mended += &edit.content;
        at = edit.range.end as usize;
    }
    mended += &text[at..];
    (mended, count)
}

/// Whether two edits are about the same place.
fn meet(a: &Edit, b: &Edit) -> bool {
    a.range.start <= b.range.end && b.range.start <= a.range.end
}

/// Writes a mended text: into its file, or to standard output where it came from standard input.
pub(super) fn write(path: &str, text: &str) -> Result<(), String> {
    if path == "-" {
        print!("{text}");
        return Ok(());
    }
    output::replace(Path::new(path), text.as_bytes()).map_err(|error| format!("cannot write `{path}`: {error}"))
}
