//! The words of a launch directive.

use super::Kind;
use std::ops::Range;
use tile_dialect::Element;

/// What a directive starts with.
pub(super) const SIGN: &str = "//@";

/// Tells the words of a directive; ranges count from its start.
pub(super) fn words(text: &str, mut tell: impl FnMut(Range<u32>, Kind)) {
    tell(0..SIGN.len() as u32, Kind::Directive);
    let mut at = SIGN.len();
    while let Some(first) = text[at..].chars().next() {
        let length = word_length(&text[at..]);
        let word = &text[at..at + length];
        if let Some(kind) = kind(first, word, &text[at + length..]) {
            tell(at as u32..(at + length) as u32, kind);
        }
        at += length;
    }
}

/// The length of what a text starts with; at least one character.
fn word_length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let rest = &text[first..];
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    match text.as_bytes().first() {
        Some(b'"') => string_length(text),
        Some(b'%') => first + rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        Some(byte) if byte.is_ascii_digit() => number_length(text),
        Some(byte) if byte.is_ascii_alphabetic() => rest.find(|c| !is_word(c) || c == '.').unwrap_or(rest.len()) + first,
        _ => first,
    }
}

/// Digits, a dot, and an exponent with its sign.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    let ends = |c: char| {
        let inside = c.is_ascii_alphanumeric() || matches!(c, '.' | '_') || matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
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

fn kind(first: char, word: &str, behind: &str) -> Option<Kind> {
    match first {
        '%' if word.len() > 1 => Some(Kind::Parameter),
        '"' => Some(Kind::Text),
        _ if first.is_ascii_digit() => Some(Kind::Number),
        _ if !first.is_ascii_alphabetic() => None,
        _ if Element::from_name(word).is_some() => Some(Kind::Element),
        _ if behind.trim_start().starts_with('(') => Some(Kind::Function),
        _ if behind.trim_start().starts_with('=') && !behind.trim_start().starts_with("==") => Some(Kind::Attribute),
        _ if matches!(word, "launch" | "expect" | "print" | "error") => Some(Kind::Directive),
        _ => Some(Kind::AttributeValue),
    }
}
