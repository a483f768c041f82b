//! Checks optimization hints: architectures, names and values that the compiler ignores or changes.

use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{HintValue, Hints};
use std::ops::Range;
use tile_dialect::{ARCHITECTURES, HINTS, HintRange, Mnemonic, Version};

/// Checks the hints of an op against the ranges of the target version. `place` is the range of the hints.
pub(crate) fn check(hints: &Hints, op: Mnemonic, place: Range<u32>, text: &str, target: Version) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut from = place.start;
    for (key, named) in &hints.by_architecture {
        let at = find(text, from..place.end, key);
        from = at.end;
        let known = ARCHITECTURES.iter().find(|architecture| architecture.name == &**key);
        let Some(architecture) = known.filter(|architecture| architecture.since <= target) else {
            found.push(d::unknown_hint_key(at, key, known.map(|architecture| architecture.since)));
            continue;
        };
        for (name, value) in named {
            let at = find(text, from..place.end, name);
            from = at.end;
            let Some(hint) = HINTS.iter().find(|hint| hint.name == &**name && hint.ops.contains(&op)) else {
                found.push(d::unknown_hint(at, name, op));
                continue;
            };
            let without_clusters = hint.of_clusters && !architecture.has_clusters;
            let range = if without_clusters { HintRange::PowerOfTwo(1, 1) } else { hint.range(target) };
            found.extend(match value {
                HintValue::Bool(_) if range == HintRange::Bool => None,
                HintValue::Int(number) if range != HintRange::Bool => {
                    let lies_outside = !range.contains(*number);
                    let clusters = without_clusters.then_some(architecture.name);
                    lies_outside.then(|| d::hint_value(at, hint, (range, *number), target, clusters))
                }
                _ => Some(d::hint_kind(at, name, range, value)),
            });
        }
    }
    found
}

/// The range of a word in a part of the text; the start of the part if the word is written with an escape.
fn find(text: &str, part: Range<u32>, word: &str) -> Range<u32> {
    let written = text.get(part.start as usize..part.end as usize).unwrap_or("");
    match written.find(word) {
        Some(at) => part.start + at as u32..part.start + (at + word.len()) as u32,
        None => part.start..part.start,
    }
}
