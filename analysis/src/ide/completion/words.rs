//! Completion of an op's keywords.

use super::super::doc::{self, Topic};
use super::context::CompletionContext;
use super::item::{Completion, CompletionKind};
use super::values::visible;
use crate::db::{self, File};
use tile_dialect::form::{Form, Piece};
use tile_dialect::{
    ARCHITECTURES, ASSUMPTION, Architecture, AttrKind, AttrRow, EnumRow, HINTS, HintRow, Named, OpRow, Version,
};
use tile_syntax::{NodeKind, Token, Tree};

/// The keywords of the op being written.
pub(super) fn keywords(db: &dyn salsa::Database, file: File, ctx: &CompletionContext, offset: u32) -> Vec<Completion> {
    let Some((row, present)) = op_before(db, file, ctx.replaced.start) else { return Vec::new() };
    let before = ctx.before.trim_end();
    let version = file.options(db).version;
    if let Some(hints) = hints(before, row, version) {
        return hints;
    }
    let wrapped = row.attrs.iter().find_map(|attr| match attr.kind {
        AttrKind::Enum { of, wrapper, only } if !wrapper.is_empty() => {
            let is_inside = before.strip_suffix('<').is_some_and(|rest| rest.ends_with(wrapper));
            is_inside.then(|| values(of, only, version))
        }
        _ => None,
    });
    if wrapped.is_none() && is_in_brackets(before) {
        return Vec::new();
    }
    wrapped.unwrap_or_else(|| {
        let form: &'static Form = Named { row, spelling: None }.form();
        let mut items = bare(row, form, &present, version);
        groups(db, file, row, &form.pieces, &present, offset, &mut items);
        items
    })
}

/// Reports whether a parenthesis or square bracket is open on this line. Ops have no keywords inside them.
fn is_in_brackets(before: &str) -> bool {
    let is_open = |open: char, close: char| before.matches(open).count() > before.matches(close).count();
    is_open('(', ')') || is_open('[', ']')
}

/// The parts of an op that are already written.
struct Present {
    /// The slots of attributes.
    attrs: Vec<u8>,
    /// The names in the statement.
    words: Vec<String>,
}

/// Keywords written outside of brackets: flags, enum keywords without a wrapper, and the wrapper words of the other
/// enums, as in `rounding<zero>`.
fn bare(row: &'static OpRow, form: &Form, present: &Present, version: Version) -> Vec<Completion> {
    let open = row
        .attrs
        .iter()
        .enumerate()
        .filter(|(index, attr)| !present.attrs.contains(&(*index as u8)) && attr.since <= version);
    let items = open.flat_map(|(_, attr)| match attr.kind {
        AttrKind::Enum { of, .. } if !form.names_attr(row, attr.name) => {
            let is_present = present.words.iter().any(|word| word == attr.name);
            if is_present { Vec::new() } else { vec![in_dictionary(attr, of, version)] }
        }
        AttrKind::Enum { of, wrapper: "", only } => values(of, only, version),
        AttrKind::Enum { of, wrapper, only } => {
            let choices: Vec<&str> = values(of, only, version)
                .iter()
                .filter_map(|item| of.value(&item.label))
                .map(|v| of.keyword(v))
                .collect();
            let snippet = format!("{wrapper}<${{1|{}|}}>", choices.join(","));
            vec![Completion { snippet: Some(snippet), ..word(wrapper, attr.doc) }.about(Topic::Enum(of))]
        }
        AttrKind::Flag(flag) => vec![described(word(flag, attr.doc), doc::attribute(attr))],
        AttrKind::Predicate => values(&ASSUMPTION, &[], version),
        _ => Vec::new(),
    });
    items.collect()
}

/// An attribute that its op's form does not name, written in the dictionary.
fn in_dictionary(attr: &'static AttrRow, of: &'static EnumRow, version: Version) -> Completion {
    let choices: Vec<&str> = of.values.iter().filter(|value| value.since <= version).map(|value| value.name).collect();
    let snippet = format!("attributes {{{} = #cuda_tile.{}<${{1|{}|}}>}}", attr.name, of.name, choices.join(","));
    Completion { snippet: Some(snippet), ..word(attr.name, attr.doc) }.about(Topic::Enum(of))
}

fn word(label: &str, doc: &str) -> Completion {
    Completion::new(label, CompletionKind::Keyword, doc)
}

/// The completion, linked to the page of a topic if there is one.
fn described(item: Completion, topic: Option<Topic>) -> Completion {
    match topic {
        Some(topic) => item.about(topic),
        None => item,
    }
}

/// The first words of optional groups, such as `token = %t`, with a fitting value.
fn groups(
    db: &dyn salsa::Database,
    file: File,
    row: &'static OpRow,
    pieces: &'static [Piece],
    present: &Present,
    offset: u32,
    items: &mut Vec<Completion>,
) {
    for piece in pieces {
        let Piece::Group(list) = piece else { continue };
        let Some(Piece::Word(first)) = list.first() else { continue };
        if present.words.iter().any(|word| word == first) || items.iter().any(|item| item.label == *first) {
            continue;
        }
        let part = list[1..].iter().find(|piece| !matches!(piece, Piece::Punct { .. }));
        let (doc, snippet, topic) = match part {
            Some(Piece::Operand(index)) => {
                let operand = &row.operands[*index as usize];
                let fits = visible(db, file, offset).into_iter().find(|value| value.ty.is_a(operand.class));
                let value = fits.map_or("%".to_string(), |value| value.name);
                (operand.doc, Some(format!("{first} = ${{1:{value}}}")), doc::term(first))
            }
            Some(Piece::Attr { index, .. }) => {
                let attr = &row.attrs[*index as usize];
                let hints = "<${1:default} = {$2}>".to_string();
                let value = if matches!(attr.kind, AttrKind::Hints) { hints } else { "$1".to_string() };
                (attr.doc, Some(format!("{first} = {value}")), doc::attribute(attr))
            }
            _ => ("", None, None),
        };
        items.push(described(Completion { snippet, ..word(first, doc) }, topic));
    }
}

/// Completions inside `optimization_hints`: architectures, and the hints that the op takes.
fn hints(before: &str, row: &OpRow, version: Version) -> Option<Vec<Completion>> {
    let open = before.rfind("optimization_hints").map(|at| &before[at..])?;
    let depth = |open_mark: char, close: char| open.matches(open_mark).count() > open.matches(close).count();
    if open.ends_with('=') && depth('<', '>') {
        return Some(Vec::new());
    }
    if depth('{', '}') {
        let own = HINTS.iter().filter(|hint| hint.ops.contains(&row.op));
        let item = |hint: &'static HintRow| {
            let snippet = Some(format!("{} = $1", hint.name));
            Completion { snippet, ..Completion::new(hint.name, CompletionKind::Hint, hint.doc) }
                .about(Topic::Hint(hint))
        };
        return Some(own.map(item).collect());
    }
    depth('<', '>').then(|| {
        let known = ARCHITECTURES.iter().filter(|architecture| architecture.since <= version);
        let item = |row: &'static Architecture| {
            let snippet = Some(format!("{} = {{$1}}", row.name));
            Completion { snippet, ..Completion::new(row.name, CompletionKind::Hint, "hints for this architecture") }
                .about(Topic::Architecture(row))
        };
        known.map(item).collect()
    })
}

pub(super) fn values(of: &'static EnumRow, only: &[u8], version: Version) -> Vec<Completion> {
    let allowed = of
        .values
        .iter()
        .enumerate()
        .filter(|(index, value)| (only.is_empty() || only.contains(&(*index as u8))) && value.since <= version);
    allowed
        .map(|(index, value)| {
            Completion::new(value.name, CompletionKind::Keyword, value.doc).about(Topic::Value(of, index as u8))
        })
        .collect()
}

/// The op of the statement before an offset, and its parts that are already written.
fn op_before(db: &dyn salsa::Database, file: File, offset: u32) -> Option<(&'static OpRow, Present)> {
    let inside = db::layout(db, file).at(db, offset);
    match inside.filter(|(start, _)| *start < offset) {
        Some((start, item)) => op_in(db::syntax(db, item), item.text(db), offset - start),
        None => op_in(&db::file_outline(db, file).tree, file.text(db), offset),
    }
}

fn op_in(tree: &Tree, text: &str, offset: u32) -> Option<(&'static OpRow, Present)> {
    let tokens = &tree.tokens;
    let last = (tokens.at(offset.saturating_sub(1)) + 1).min(tokens.len());
    let last = (0..last).rev().find(|&token| tokens.end(token) <= offset)?;
    let op = tree.path_to(last).into_iter().rfind(|&node| tree.kind(node) == NodeKind::Op)?;
    let row = tile_dialect::ops().get(tree.slot(op) as usize).copied()?;
    let attrs = tree.children_of(op, NodeKind::Attr).map(|attr| tree.slot(attr)).collect();
    let words = tree.tokens_of(op).filter(|&token| tokens.kind(token) == Token::Name);
    let words = words.map(|token| tokens.text(token, text).to_string()).collect();
    Some((row, Present { attrs, words }))
}
