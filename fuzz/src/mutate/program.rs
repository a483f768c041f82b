//! Changes of programs: of entries, statements, ops, types, attributes and launch directives.

use super::dictionary::{DICTIONARY, nodes, pick};
use super::tokens::{self, number, ranges, replaced, shuffle};
use fastrand::Rng;
use std::ops::Range;
use tile_syntax::{NodeKind, PieceKind, lex, split};

/// A random change.
pub(super) fn change(text: &str, random: &mut Rng) -> String {
    let dictionary = &*DICTIONARY;
    match random.usize(..16) {
        0..=2 => statement(text, random),
        3 => shuffle(text, &nodes(text, &[NodeKind::Op]), "\n", random),
        4 | 5 => replace_node(text, &[NodeKind::OpName], &dictionary.ops, random),
        6 | 7 => replace_node(text, &[NodeKind::Type], &dictionary.types, random),
        8 => replace_node(text, &[NodeKind::Attr, NodeKind::DictEntry, NodeKind::AttrValue], &dictionary.attrs, random),
        9 => operand(text, random),
        10 => number(text, &ranges(text), random),
        11 | 12 => same_kind(text, random),
        13 => item(text, random),
        14 => directive(text, random),
        _ => tokens::change(text, random, &[&dictionary.odd, &dictionary.attrs, &dictionary.types]),
    }
}

/// Inserts a statement before another, or replaces one.
fn statement(text: &str, random: &mut Rng) -> String {
    let new = pick(&DICTIONARY.statements, random);
    match random.choice(nodes(text, &[NodeKind::Op])) {
        Some(range) if random.bool() => replaced(text, range, new),
        Some(range) => replaced(text, range.start..range.start, &format!("{new}\n")),
        None => format!("cuda_tile.module @m {{\nentry @k() {{\n{new}\n}}\n}}\n{text}"),
    }
}

/// Replaces a node by one of the dictionary, or by one of the text.
fn replace_node(text: &str, kinds: &[NodeKind], pieces: &[String], random: &mut Rng) -> String {
    let found = nodes(text, kinds);
    let Some(range) = random.choice(&found).cloned() else { return text.to_string() };
    let own = random.choice(&found).filter(|_| random.u8(..3) == 0).map(|range| &text[range.clone()]);
    let new = own.unwrap_or_else(|| pick(pieces, random));
    replaced(text, range, new)
}

/// Replaces an operand by another value of the text.
fn operand(text: &str, random: &mut Rng) -> String {
    let values = nodes(text, &[NodeKind::Operand, NodeKind::Result, NodeKind::Param, NodeKind::BlockArg]);
    let operands = nodes(text, &[NodeKind::Operand]);
    let (Some(range), Some(value)) = (random.choice(operands), random.choice(values)) else { return text.to_string() };
    let value = text[value].split([':', ' ']).next().unwrap_or("");
    replaced(text, range, value)
}

/// Replaces a token by one of the same kind, or inserts one.
fn same_kind(text: &str, random: &mut Rng) -> String {
    let tokens = lex(text);
    if tokens.is_empty() {
        return DICTIONARY.any_token(random).to_string();
    }
    let at = random.usize(..tokens.len());
    let range = tokens.start(at) as usize..tokens.end(at) as usize;
    match random.usize(..4) {
        0 => replaced(text, range.start..range.start, &format!("{} ", DICTIONARY.any_token(random))),
        1 => replaced(text, range, DICTIONARY.any_token(random)),
        _ => replaced(text, range, DICTIONARY.token(tokens.kind(at), random)),
    }
}

/// Inserts, removes, repeats or moves an entry.
fn item(text: &str, random: &mut Rng) -> String {
    let pieces = split(text).into_iter().filter(|piece| piece.kind == PieceKind::Item);
    let items: Vec<Range<usize>> = pieces.map(|piece| piece.range).collect();
    match random.choice(&items) {
        Some(range) if random.bool() => replaced(text, range.end..range.end, pick(&DICTIONARY.items, random)),
        _ => shuffle(text, &items, "\n", random),
    }
}

/// Inserts a launch directive above an entry, or changes the directives.
fn directive(text: &str, random: &mut Rng) -> String {
    let all = tokens::lines(text);
    let directives: Vec<Range<usize>> =
        all.into_iter().filter(|line| text[line.clone()].trim_start().starts_with("//@")).collect();
    let new = pick(&DICTIONARY.directives, random);
    match random.choice(&directives).cloned() {
        Some(range) if random.bool() => replaced(text, range.end..range.end, new.trim_start()),
        Some(range) if random.bool() => {
            let line = tokens::change(&text[range.clone()], random, &[&DICTIONARY.directive_words]);
            replaced(text, range, &line)
        }
        Some(_) => shuffle(text, &directives, "", random),
        None => match split(text).into_iter().find(|piece| piece.kind == PieceKind::Item) {
            Some(item) => replaced(text, item.range.start..item.range.start, new),
            None => format!("{new}{text}"),
        },
    }
}
