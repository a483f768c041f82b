//! Changes of tokens and lines, for any text.

use super::dictionary::{numbers, pick};
use fastrand::Rng;
use std::ops::Range;
use tile_syntax::lex;

/// The ranges of the tokens of a text; of its comments too, whose words are taken as tokens.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let tokens = lex(text);
    let mut all: Vec<Range<usize>> =
        (0..tokens.len()).map(|at| tokens.start(at) as usize..tokens.end(at) as usize).collect();
    for &(start, end) in tokens.comments() {
        let (start, end) = (start as usize, end as usize);
        let inner = start + 3.min(end - start);
        if let Some(rest) = text.get(inner..end) {
            let words = lex(rest);
            all.extend((0..words.len()).map(|at| inner + words.start(at) as usize..inner + words.end(at) as usize));
        }
    }
    all.retain(|range| !range.is_empty());
    all.sort_by_key(|range| range.start);
    all
}

/// Replaces a range.
pub(super) fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    [&text[..range.start], new, &text[range.end..]].concat()
}

/// Swaps two ranges, unless they overlap.
pub(super) fn swapped(text: &str, a: Range<usize>, b: Range<usize>) -> String {
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end > b.start {
        return text.to_string();
    }
    [&text[..a.start], &text[b.clone()], &text[a.end..b.start], &text[a], &text[b.end..]].concat()
}

/// Removes, repeats, swaps or moves one of the given ranges, or replaces it by another.
pub(super) fn shuffle(text: &str, ranges: &[Range<usize>], between: &str, random: &mut Rng) -> String {
    let (Some(here), Some(there)) = (random.choice(ranges).cloned(), random.choice(ranges).cloned()) else {
        return text.to_string();
    };
    match random.usize(..9) {
        0 | 1 => replaced(text, here, ""),
        2 => replaced(text, here.end..here.end, &format!("{between}{}", &text[here])),
        3 | 4 => swapped(text, here, there),
        5 => replaced(text, there.start..there.start, &format!("{}{between}", &text[here])),
        6 if random.u8(..4) == 0 => {
            let times = 1 << random.usize(2..10);
            replaced(text, here.end..here.end, &format!("{between}{}", &text[here]).repeat(times))
        }
        _ => replaced(text, here, &text[there]),
    }
}

/// A random change of tokens or lines, with pieces of the dictionaries.
pub(super) fn change(text: &str, random: &mut Rng, dictionaries: &[&[String]]) -> String {
    let tokens = ranges(text);
    let here = random.choice(&tokens).cloned().unwrap_or(0..0);
    let piece = random.choice(dictionaries).map_or("", |pieces| pick(pieces, random));
    match random.usize(..12) {
        0..=2 => shuffle(text, &tokens, " ", random),
        3 | 4 => replaced(text, here, piece),
        5 => replaced(text, here.start..here.start, &format!("{piece} ")),
        6 => replaced(text, here.end..here.end, piece),
        7 => number(text, &tokens, random),
        8 | 9 => shuffle(text, &lines(text), "", random),
        10 => replaced(text, here.end..here.end, ["\n", "\n//@ ", " ", ""][random.usize(..4)]),
        _ => {
            let end = crate::session::boundary(text, random.usize(..=text.len()));
            if random.bool() { text[..end].to_string() } else { text[end..].to_string() }
        }
    }
}

/// Replaces a number.
pub(super) fn number(text: &str, tokens: &[Range<usize>], random: &mut Rng) -> String {
    let is_number = |range: &&Range<usize>| text.as_bytes()[range.start].is_ascii_digit();
    let found: Vec<Range<usize>> = tokens.iter().filter(is_number).cloned().collect();
    let Some(range) = random.choice(found) else { return text.to_string() };
    let near = text[range.clone()].parse::<i64>().ok().map(|old| old.wrapping_add(random.i64(-2..3)).to_string());
    let other = numbers().nth(random.usize(..numbers().count())).unwrap_or_default();
    let new = near.filter(|_| random.bool()).unwrap_or(other);
    replaced(text, range, &new)
}

/// The ranges of the lines, with their line breaks.
pub(super) fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &str| {
        start += line.len();
        start - line.len()..start
    };
    text.split_inclusive('\n').map(line).collect()
}
