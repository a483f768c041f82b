//! Suggestions for misspelled words.

/// The candidate that a word is probably a misspelling of: the closest one that differs in at most a third of its
/// letters.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.chars().count().max(3) / 3;
    let near = candidates.into_iter().map(|candidate| (strsim::osa_distance(word, candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
