//! Mending a text by the fixes of its diagnostics.
//!
//! The fix of a lint changes how something is written, not what it means: it is safe, and so is that of an error where
//! what is missing can be nothing else. Any other fix of an error decides what was meant: it is made only on request, and
//! only where there is one.

use crate::sources::SourceFile;
use std::path::Path;
use tile_analysis::diagnostic::{Diagnostic, Severity};
use tile_analysis::ide::fix_all;
use tile_fmt::files::{Original, Replaced};

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

/// A text after the wanted fixes, and how many they are.
fn apply(text: &str, found: &[Diagnostic], guess: bool) -> (String, usize) {
    let is_only = |found: &Diagnostic| matches!(&found.fixes[..], [_]);
    let wanted = found.iter().filter_map(|found| match guess {
        true if is_only(found) => found.fixes.first(),
        _ => fix_all::certain(found),
    });
    let (edits, count) = fix_all::edits(wanted);
    (fix_all::apply(text, &edits), count)
}

/// Writes a mended text into the file that it was read from. Says whether it is still that file: if somebody has changed it
/// meanwhile, it stays as it is.
pub(super) fn write(file: &SourceFile, original: Original, text: &str) -> Result<Replaced, String> {
    let replaced = original.replace(Path::new(&file.name), file.holding(text).as_bytes());
    replaced.map_err(|error| format!("cannot write `{}`: {error}", file.name))
}
