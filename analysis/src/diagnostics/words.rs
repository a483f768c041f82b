//! Words that several messages share.

use tile_dialect::EnumRow;

/// The keywords of an enum, or some of them, for a message.
pub(super) fn keywords(of: &EnumRow, only: &[u8]) -> String {
    keyword_list(of, only).join(", ")
}

/// The keywords of an enum, or those whose values are in `only`, each in backticks.
pub(super) fn keyword_list(of: &EnumRow, only: &[u8]) -> Vec<String> {
    allowed_keywords(of, only).into_iter().map(|keyword| format!("`{keyword}`")).collect()
}

/// The keywords of an enum, or those whose values are in `only`. Two are in the order of the alphabet, which puts `signed`
/// before `unsigned`.
pub(crate) fn allowed_keywords(of: &EnumRow, only: &[u8]) -> Vec<&'static str> {
    let allowed = of.values.iter().enumerate().filter(|(index, _)| only.is_empty() || only.contains(&(*index as u8)));
    let mut keywords: Vec<&str> = allowed.map(|(_, value)| value.name).collect();
    if keywords.len() == 2 {
        keywords.sort_unstable();
    }
    keywords
}

/// The article of a noun.
pub(super) fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// `1 tile`, `2 tiles`.
pub(super) fn counted(count: i64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
