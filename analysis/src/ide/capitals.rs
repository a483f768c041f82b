//! Texts at the start of a sentence or of a menu entry.

/// A text whose first letter is a capital.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
