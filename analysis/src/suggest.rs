//! Suggestions for misspelled words.

use crate::foreign;
use tile_dialect::{ELEMENTS, ops};

/// The maximum length of a word to compare; longer words are not considered misspellings.
const MAX_LENGTH: usize = 64;

/// Returns the candidate that `word` is probably a misspelling of: one that differs only in case, or in at most a third
/// of its letters, or that has the same `_`-separated parts in another order. Of equally close candidates, the one with
/// the longest common prefix is preferred.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    if letters == 0 || letters > MAX_LENGTH {
        return None;
    }
    let lower = word.to_lowercase();
    let limit = letters.max(3) / 3;
    let rank = |candidate: &'a str| {
        let other = candidate.to_lowercase();
        let distance = if same_parts(&lower, &other) { 1 } else { strsim::osa_distance(&lower, &other) };
        let shared = shared_start(&lower, &other);
        let longest = letters.max(other.chars().count());
        // In short words one letter makes a large difference: `%x` is not `%y`, and `%yy` is not `%by`.
        let is_near = distance <= limit && distance < longest && (longest > 3 || distance == 0 || shared > 0);
        is_near.then_some(((distance, std::cmp::Reverse(shared)), candidate))
    };
    candidates.into_iter().filter_map(rank).min_by_key(|(rank, _)| *rank).map(|(_, candidate)| candidate)
}

/// Whether two words have the same `_`-separated parts, in any order.
fn same_parts(a: &str, b: &str) -> bool {
    let sorted = |word: &str| {
        let mut parts: Vec<String> = word.split('_').map(str::to_string).collect();
        parts.sort_unstable();
        parts
    };
    a.len() == b.len() && a.contains('_') && sorted(a) == sorted(b)
}

/// The length in letters of the common prefix of two words.
fn shared_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Like [`closest`], for the name of an op. Many op names are short and similar but unrelated, so the suggestion must
/// start with the same letter or be at least 75 % similar.
pub fn op(word: &str) -> Option<&'static str> {
    let names = ops().iter().map(|row| row.name).filter(|name| !name.contains('$'));
    let lower = word.to_lowercase();
    let close = closest(word, names)?;
    let is_alike = strsim::normalized_damerau_levenshtein(&lower, close) >= 0.75;
    (shared_start(&lower, close) > 0 || is_alike).then_some(close)
}

/// Returns "did you mean `x`?", or the list of candidates if none is close.
pub fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    match closest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None if candidates.is_empty() => "there are none".to_string(),
        None => expected(candidates),
    }
}

/// Like [`did_you_mean`], for the names of values, which are given without their `%`.
pub fn value(name: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(close) => format!("did you mean `%{close}`?"),
        None if known.is_empty() => "there are none".to_string(),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("%{name}")).collect();
            expected(&known.iter().map(String::as_str).collect::<Vec<_>>())
        }
    }
}

fn expected(words: &[&str]) -> String {
    let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    if words.len() == 1 { format!("expected {list}") } else { format!("expected one of {list}") }
}

/// Suggests an element type for an unknown name.
pub fn element(name: &str) -> String {
    let lower = name.to_lowercase();
    let alias = foreign::element(name);
    let prefix = || {
        let starts = |row: &&tile_dialect::ElementRow| lower.len() > 3 && row.name.to_lowercase().starts_with(&lower);
        ELEMENTS.iter().find(starts).map(|row| row.name)
    };
    let names: Vec<&str> = ELEMENTS.iter().map(|row| row.name).collect();
    match alias.or_else(prefix) {
        Some(name) => format!("did you mean `{name}`?"),
        None => did_you_mean(name, &names),
    }
}

/// The first of `stem`, `stem_0`, `stem_1`, … that is not taken.
pub fn unused(stem: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (0..).map(|number| format!("{stem}_{number}"));
    let mut all = std::iter::once(stem.to_string()).chain(numbered);
    all.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspellings_are_recognized() {
        assert_eq!(closest("zeroes", ["zeros", "ones"]), Some("zeros"));
        assert_eq!(closest("unifrom", ["zeros", "uniform"]), Some("uniform"));
        assert_eq!(closest("banana", ["zeros", "uniform"]), None);
        assert_eq!(closest("", ["zeros"]), None);
        assert_eq!(closest("Zeros", ["zeros", "Zero"]), Some("zeros"));
        assert_eq!(closest("start_row", ["row", "row_start"]), Some("row_start"));
    }

    #[test]
    fn unrelated_words_are_not_suggested() {
        assert_eq!(closest("x", ["y", "z"]), None);
        assert_eq!(closest("yy", ["by", "y"]), Some("y"));
        assert_eq!(closest("load", ["log"]), None);
        assert_eq!(closest("elephant", ["element"]), None);
    }

    #[test]
    fn misspelled_ops_are_recognized() {
        assert_eq!(op("iotta"), Some("iota"));
        assert_eq!(op("adid"), Some("addi"));
        assert_eq!(op("getTileBlockId"), Some("get_tile_block_id"));
        assert_eq!(op("load"), None);
        assert_eq!(op("call"), None);
        assert_eq!(op("full"), None);
        assert_eq!(op("goto"), None);
    }

    #[test]
    fn type_names_of_other_languages_are_recognized() {
        assert_eq!(element("float32"), "did you mean `f32`?");
        assert_eq!(element("f8e4m3"), "did you mean `f8E4M3FN`?");
        assert_eq!(element("BF16"), "did you mean `bf16`?");
    }
}
