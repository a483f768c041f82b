//! Hovers for the keywords and attributes of an op.

use super::super::cursor::Cursor;
use super::super::doc::{self, Topic};
use super::content::Hover;
use std::fmt::Write;
use tile_dialect::form::{Form, Piece};
use tile_dialect::{
    ACCESS, ARCHITECTURES, ASSUMPTION, AttrKind, AttrRow, DIALECT_PREFIX, Element, EnumRow, HINTS, MEMORY_SPACE, Named,
    OpRow, SYNCHRONIZATION,
};
use tile_syntax::NodeKind;

/// The hover for a keyword or an attribute.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let shown = |text| Some(Hover { range: cursor.word_range(), text });
    if let Some(text) = hint(cursor) {
        return shown(text);
    }
    if let Some(topic) = preview_value(cursor) {
        return shown(topic.brief());
    }
    let Some((row, attr)) = attribute(cursor) else {
        return form_word(cursor).or_else(|| of_parameter(cursor)).and_then(shown);
    };
    let text = match attr.kind {
        AttrKind::Predicate => match ASSUMPTION.value(cursor.word()) {
            Some(value) => one(&ASSUMPTION, value, row, attr),
            None => all(&ASSUMPTION, &[], row, attr),
        },
        AttrKind::Enum { of, only, .. } => match of.value(cursor.word().trim_matches('"')) {
            Some(value) => one(of, value, row, attr),
            None => all(of, only, row, attr),
        },
        _ => match Element::from_name(cursor.word()) {
            Some(element) => Topic::Element(element.row()).brief(),
            None => attribute_page(row, attr),
        },
    };
    Some(Hover { range: cursor.word_range(), text })
}

/// The page of an attribute, preceded by its meaning in this op if that differs between ops.
fn attribute_page(row: &OpRow, attr: &AttrRow) -> String {
    match doc::attribute(attr) {
        Some(topic) if topic.doc() == attr.doc => topic.brief(),
        Some(topic) => format!("{}\n{}", about(row, attr), topic.brief()),
        None => about(row, attr),
    }
}

/// The page of a compiler hint, or of an architecture in hints.
fn hint(cursor: &Cursor) -> Option<String> {
    let word = cursor.word();
    let in_hints = attribute(cursor).is_some_and(|(_, attr)| matches!(attr.kind, AttrKind::Hints));
    if !in_hints && cursor.node(NodeKind::DictEntry).is_none() {
        return None;
    }
    let hint = HINTS.iter().find(|row| row.name == word).map(Topic::Hint);
    let architecture = || ARCHITECTURES.iter().find(|row| row.name == word).map(Topic::Architecture);
    hint.or_else(architecture).map(|topic| topic.brief())
}

/// A keyword of the SIMT preview in an attribute: `warp` of `preview$synchronization<warp>`.
fn preview_value(cursor: &Cursor) -> Option<Topic> {
    let name = cursor.tree.tokens.text(cursor.token.checked_sub(2)?, cursor.text);
    let of = [&ACCESS, &SYNCHRONIZATION, &MEMORY_SPACE].into_iter().find(|of| of.name == name)?;
    of.value(cursor.word()).map(|value| Topic::Value(of, value))
}

/// The page of a parameter attribute's name or value.
fn of_parameter(cursor: &Cursor) -> Option<String> {
    cursor.node(NodeKind::Param)?;
    let name = cursor.word().trim_start_matches('#');
    let name = name.strip_prefix(DIALECT_PREFIX).unwrap_or(name);
    let assumption = || ASSUMPTION.value(name).map(|value| Topic::Value(&ASSUMPTION, value));
    doc::term(name).or_else(assumption).map(|topic| topic.brief())
}

/// A word of the op's form, described by the operand or attribute after it.
fn form_word(cursor: &Cursor) -> Option<String> {
    let node = cursor.node(NodeKind::Op)?;
    let row = tile_dialect::ops().get(cursor.tree.slot(node) as usize)?;
    let form: &'static Form = Named { row, spelling: None }.form();
    let (name, doc) = match piece_after(&form.pieces, cursor.word())? {
        Piece::Operand(index) | Piece::Mixed { operand: index, .. } | Piece::Bind { operand: index, .. } => {
            let operand = row.operands.get(*index as usize)?;
            (operand.name, operand.doc)
        }
        Piece::Attr { index, .. } => return Some(attribute_page(row, row.attrs.get(*index as usize)?)),
        _ => return None,
    };
    let page = doc::term(cursor.word()).map_or(String::new(), |topic| format!("\n{}", topic.brief()));
    Some(format!("`{name}` of `{}`: {doc}\n{page}", row.name))
}

/// The first piece after a word of a form, other than punctuation.
fn piece_after(pieces: &'static [Piece], word: &str) -> Option<&'static Piece> {
    if let Some(at) = pieces.iter().position(|piece| matches!(piece, Piece::Word(found) if *found == word)) {
        return pieces[at + 1..].iter().find(|piece| !matches!(piece, Piece::Punct { .. }));
    }
    pieces.iter().find_map(|piece| match piece {
        Piece::Group(list) | Piece::AnyOrder(list) => piece_after(list, word),
        _ => None,
    })
}

/// The op and the attribute that the word belongs to.
fn attribute(cursor: &Cursor) -> Option<(&'static OpRow, &'static AttrRow)> {
    let tree = cursor.tree;
    let op = cursor.node(NodeKind::Op)?;
    let row = tile_dialect::ops().get(tree.slot(op) as usize)?;
    for node in cursor.nodes().take_while(|&node| node != op) {
        match tree.kind(node) {
            NodeKind::Attr => return Some((row, row.attrs.get(tree.slot(node) as usize)?)),
            NodeKind::DictEntry => {
                let name = tree.first_text(node, cursor.text).trim_matches('"');
                let (_, attr) = row.attr_named(name.strip_prefix(DIALECT_PREFIX).unwrap_or(name))?;
                return Some((row, attr));
            }
            _ => {}
        }
    }
    None
}

/// The hover text for one value of an enum.
fn one(of: &'static EnumRow, value: u8, row: &OpRow, attr: &AttrRow) -> String {
    format!("{}\n{}", Topic::Value(of, value).brief(), about(row, attr))
}

/// The hover text for an enum, with all values that the op takes.
fn all(of: &'static EnumRow, only: &[u8], row: &OpRow, attr: &AttrRow) -> String {
    let mut text = format!("{}\n{}\n", Topic::Enum(of).brief(), about(row, attr));
    for (index, value) in of.values.iter().enumerate() {
        if only.is_empty() || only.contains(&(index as u8)) {
            let _ = writeln!(text, "- `{}`: {}", value.name, value.doc);
        }
    }
    text
}

fn about(row: &OpRow, attr: &AttrRow) -> String {
    format!("`{}` of `{}`: {}\n", attr.name, row.name, attr.doc)
}
