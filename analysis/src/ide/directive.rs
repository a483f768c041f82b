//! Tokens of launch directives, and their references to the parameters of the entry below.

use super::semantic_tokens::kind::Kind;
use crate::db::{self, File};
use crate::ir::Value;
use crate::lines::comment_lines_above;
use std::ops::Range;
use tile_dialect::Element;

/// The prefix of a directive.
pub(super) const SIGN: &str = "//@";

/// Passes the tokens of a directive to `emit`. Ranges are relative to its start.
pub(super) fn words(text: &str, mut emit: impl FnMut(Range<u32>, Kind)) {
    emit(0..SIGN.len() as u32, Kind::Directive);
    let mut at = SIGN.len();
    while let Some(first) = text[at..].chars().next() {
        let length = word_length(&text[at..]);
        let word = &text[at..at + length];
        if let Some(kind) = kind(first, word, &text[at + length..]) {
            emit(at as u32..(at + length) as u32, kind);
        }
        at += length;
    }
}

/// A reference to a parameter in a directive.
pub(super) struct Mention {
    /// The range of the name, in bytes of the file.
    pub(super) range: Range<u32>,
    /// The index of its item in the file's layout.
    pub(super) item: usize,
    /// The parameter.
    pub(super) value: Value,
}

/// The parameter reference in a directive at an offset.
pub(super) fn mention_at(db: &dyn salsa::Database, file: File, offset: u32) -> Option<Mention> {
    let text = file.text(db);
    let line = line_of(text, offset);
    if !text.get(line)?.trim_start().starts_with(SIGN) {
        return None;
    }
    let items = &db::layout(db, file).items;
    let item = items.partition_point(|(start, _)| *start <= offset);
    let &(start, below) = items.get(item)?;
    let (range, name) = parameters(text, start).find(|(range, _)| range.start <= offset && offset <= range.end)?;
    let body = &db::lowered(db, below, file).body;
    let index = body.params.iter().position(|param| **param == *name)?;
    Some(Mention { range, item, value: body.regions[0].args[index] })
}

/// The references to a parameter in the directives above an item.
pub(super) fn mentions<'t>(text: &'t str, item: u32, name: &'t str) -> impl Iterator<Item = Range<u32>> + 't {
    parameters(text, item).filter(move |(_, found)| *found == name).map(|(range, _)| range)
}

/// All parameter references in the directives above an item: the range, and the name without `%`.
fn parameters(text: &str, item: u32) -> impl Iterator<Item = (Range<u32>, &str)> {
    let block = comment_lines_above(text, item as usize);
    let mut at = block.start;
    let mut found = Vec::new();
    for line in text[block].split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let directive = line.trim();
        if directive.starts_with(SIGN) {
            words(directive, |range, kind| {
                if kind == Kind::Parameter {
                    let range = range.start as usize + start..range.end as usize + start;
                    found.push((range.start as u32..range.end as u32, &text[range.start + 1..range.end]));
                }
            });
        }
    }
    found.into_iter()
}

/// The line of an offset.
fn line_of(text: &str, offset: u32) -> Range<usize> {
    let offset = (offset as usize).min(text.len());
    let start = text.as_bytes()[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text.as_bytes()[offset..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| offset + at);
    start..end
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
        '"' => Some(Kind::Text),
        _ if first.is_ascii_digit() => Some(Kind::Number),
        _ if !first.is_ascii_alphabetic() => None,
        _ if Element::from_name(word).is_some() => Some(Kind::Element),
        _ if rest.trim_start().starts_with('(') => Some(Kind::Function),
        _ if rest.trim_start().starts_with('=') && !rest.trim_start().starts_with("==") => Some(Kind::Attribute),
        _ if matches!(word, "launch" | "expect" | "print" | "error") => Some(Kind::Directive),
        _ => Some(Kind::AttributeValue),
    }
}
