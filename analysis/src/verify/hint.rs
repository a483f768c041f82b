//! Optimization hints: what the compiler does not know it ignores.

use crate::diagnostic::Diagnostic;
use crate::diagnostics as d;
use crate::ir::{HintValue, Hints};
use std::ops::Range;
use tile_dialect::{ARCHITECTURES, HINTS, HintRange, Mnemonic, Version};

/// What is wrong with the hints of an op that are written at `place`.
pub(crate) fn check(hints: &Hints, op: Mnemonic, place: Range<u32>, text: &str, target: Version) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut from = place.start;
    for (key, named) in &hints.by_architecture {
        let at = find(text, from..place.end, key);
        from = at.end;
        let Some(architecture) = ARCHITECTURES.iter().find(|it| it.name == &**key && it.since <= target) else {
            found.push(d::unknown_hint_key(at, key));
            continue;
        };
        for (name, value) in named {
            let at = find(text, from..place.end, name);
            from = at.end;
            let Some(hint) = HINTS.iter().find(|hint| hint.name == &**name && hint.ops.contains(&op)) else {
                found.push(d::unknown_hint(at, name, op));
                continue;
            };
            let is_alone = hint.of_clusters && !architecture.has_clusters;
            let range = if is_alone { HintRange::PowerOfTwo(1) } else { hint.value };
            match (range, value) {
                (HintRange::Bool, HintValue::Bool(_)) => {}
                (HintRange::Between(low, high), HintValue::Int(value)) if (low..=high).contains(value) => {}
                (HintRange::PowerOfTwo(most), HintValue::Int(value))
                    if (1..=most).contains(value) && value.count_ones() == 1 => {}
                (HintRange::Bool, _) | (_, HintValue::Bool(_) | HintValue::Other(_)) => {
                    found.push(d::hint_kind(at, key, name, range));
                }
                _ => found.push(d::hint_value(at, key, name, range)),
            }
        }
    }
    found
}

/// Where a word stands in a part of the text; the part's start where it has an escape.
fn find(text: &str, part: Range<u32>, word: &str) -> Range<u32> {
    let written = text.get(part.start as usize..part.end as usize).unwrap_or("");
    match written.find(word) {
        Some(at) => part.start + at as u32..part.start + (at + word.len()) as u32,
        None => part.start..part.start,
    }
}
