//! Helpers for the wording of messages.

use tile_dialect::EnumRow;

/// The keywords of an enum, or those whose values are in `only`, as alternatives.
pub(super) fn keywords(of: &EnumRow, only: &[u8]) -> String {
    alternatives(&keyword_list(of, only))
}

/// The keywords of an enum, or those whose values are in `only`, each in backticks.
pub(super) fn keyword_list(of: &EnumRow, only: &[u8]) -> Vec<String> {
    allowed_keywords(of, only).into_iter().map(|keyword| format!("`{keyword}`")).collect()
}

/// Joins alternatives: `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [] => String::new(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The keywords of an enum, or those whose values are in `only`. A pair is sorted: `signed`, `unsigned`.
pub(crate) fn allowed_keywords(of: &EnumRow, only: &[u8]) -> Vec<&'static str> {
    let allowed = of.values.iter().enumerate().filter(|(index, _)| only.is_empty() || only.contains(&(*index as u8)));
    let mut keywords: Vec<&str> = allowed.map(|(_, value)| value.name).collect();
    if keywords.len() == 2 {
        keywords.sort_unstable();
    }
    keywords
}

/// The indefinite article of a noun.
pub(super) fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(count: usize) -> String {
    if count == 1 { "1 entry".to_string() } else { format!("{count} entries") }
}

/// `1 tile`, `2 tiles`.
pub(super) fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
