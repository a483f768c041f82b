//! Tokens of launch directives.

use super::semantic_tokens::kind::Kind;
use std::ops::Range;
use tile_dialect::Element;

/// The prefix of a directive.
pub(super) const SIGN: &str = "//@";

/// The word that begins a directive with the name of an entry.
const FORWARD: &str = "forward";

/// Passes the tokens of a directive to `emit`. Ranges are relative to its start.
pub(super) fn words(text: &str, mut emit: impl FnMut(Range<u32>, Kind)) {
    emit(0..SIGN.len() as u32, Kind::Directive);
    let mut at = SIGN.len();
    // Elsewhere, `@` multiplies matrices.
    let names_entry = text[at..].trim_start().starts_with(FORWARD);
    while let Some(first) = text[at..].chars().next() {
        let length = if first == '@' && names_entry { symbol_length(&text[at..]) } else { word_length(&text[at..]) };
        let word = &text[at..at + length];
        if let Some(kind) = kind(first, word, &text[at + length..]) {
            emit(at as u32..(at + length) as u32, kind);
        }
        at += length;
    }
}

/// The length of the first token of a text, at least one character.
fn word_length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let rest = &text[first..];
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    match text.as_bytes().first() {
        Some(b'"') => string_length(text),
        Some(b'%') => first + rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        Some(byte) if byte.is_ascii_digit() => number_length(text),
        Some(byte) if byte.is_ascii_alphabetic() => {
            rest.find(|c| !is_word(c) || c == '.').unwrap_or(rest.len()) + first
        }
        _ => first,
    }
}

/// The length of the name of an entry, with its `@`.
fn symbol_length(text: &str) -> usize {
    let name = &text[1..];
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    1 + if name.starts_with('"') { string_length(name) } else { name.find(|c| !is_name(c)).unwrap_or(name.len()) }
}

/// The length of a number: digits, a dot, and an exponent with its sign.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let ends = |c: char| {
        let inside = c.is_ascii_alphanumeric()
            || matches!(c, '.' | '_')
            || matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        before = c;
        !inside
    };
    text.find(ends).unwrap_or(text.len())
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn kind(first: char, word: &str, rest: &str) -> Option<Kind> {
    match first {
        '%' if word.len() > 1 => Some(Kind::Parameter),
        '@' if word.len() > 1 => Some(Kind::Entry),
        '"' => Some(Kind::Text),
        _ if first.is_ascii_digit() => Some(Kind::Number),
        _ if !first.is_ascii_alphabetic() => None,
        _ if Element::from_name(word).is_some() => Some(Kind::Element),
        _ if rest.trim_start().starts_with('(') => Some(Kind::Function),
        _ if rest.trim_start().starts_with('=') && !rest.trim_start().starts_with("==") => Some(Kind::Attribute),
        _ if matches!(word, "launch" | FORWARD | "expect" | "print" | "error") => Some(Kind::Directive),
        _ => Some(Kind::AttributeValue),
    }
}
