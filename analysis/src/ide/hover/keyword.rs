//! What to show about the keywords and attributes of an op.

use super::super::cursor::Cursor;
use super::Hover;
use std::fmt::Write;
use tile_dialect::form::{Form, Piece};
use tile_dialect::{
    ARCHITECTURES, ASSUMPTION, AttrKind, AttrRow, DIALECT_PREFIX, EnumRow, HINTS, HintRange, Named, OpRow,
};
use tile_syntax::NodeKind;

/// A word inside an attribute.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let shown = |text| Some(Hover { range: cursor.word_range(), text });
    if let Some(text) = hint(cursor) {
        return shown(text);
    }
    let Some((row, attr)) = attribute(cursor) else { return word(cursor).and_then(shown) };
    let text = match attr.kind {
        AttrKind::Predicate => match ASSUMPTION.value(cursor.word()) {
            Some(value) => one(&ASSUMPTION, value, row, attr),
            None => all(&ASSUMPTION, &[], row, attr),
        },
        AttrKind::Enum { of, only, .. } => match of.value(cursor.word().trim_matches('"')) {
            Some(value) => one(of, value, row, attr),
            None => all(of, only, row, attr),
        },
        _ => about(row, attr),
    };
    Some(Hover { range: cursor.word_range(), text })
}

/// A hint to the compiler, or an architecture that hints are given for.
fn hint(cursor: &Cursor) -> Option<String> {
    let word = cursor.word();
    let in_hints = attribute(cursor).is_some_and(|(_, attr)| matches!(attr.kind, AttrKind::Hints));
    if !in_hints && cursor.node(NodeKind::DictEntry).is_none() {
        return None;
    }
    if let Some(row) = HINTS.iter().find(|row| row.name == word) {
        let values = match row.value {
            HintRange::Bool => "`true` or `false`".to_string(),
            HintRange::Between(low, high) => format!("{low} to {high}"),
            HintRange::PowerOfTwo(most) => format!("a power of two up to {most}"),
        };
        let ops: Vec<String> = row.ops.iter().map(|op| format!("`{}`", op.row().name)).collect();
        return Some(format!(
            "**`{word}`** · hint to the compiler\n\n{} It is {values}. For {}.\n",
            row.doc,
            ops.join(", ")
        ));
    }
    let row = ARCHITECTURES.iter().find(|row| row.name == word)?;
    let clusters = if row.has_clusters { "has" } else { "has no" };
    Some(match word {
        "default" => "**`default`** · hints for every architecture that has none of its own\n".to_string(),
        _ => format!("**`{word}`** · architecture\n\nIt {clusters} clusters of thread blocks. Since {}.\n", row.since),
    })
}

/// A word of the op's form, which says what stands behind it.
fn word(cursor: &Cursor) -> Option<String> {
    let node = cursor.node(NodeKind::Op)?;
    let row = tile_dialect::ops().get(cursor.tree.slot(node) as usize)?;
    let form: &'static Form = Named { row, spelling: None }.form();
    let (name, doc) = match behind(&form.pieces, cursor.word())? {
        Piece::Operand(index) | Piece::Mixed { operand: index, .. } | Piece::Bind { operand: index, .. } => {
            let operand = row.operands.get(*index as usize)?;
            (operand.name, operand.doc)
        }
        Piece::Attr { index, .. } => {
            let attr = row.attrs.get(*index as usize)?;
            (attr.name, attr.doc)
        }
        _ => return None,
    };
    Some(format!("`{name}` of `{}`: {doc}\n", row.name))
}

/// The first part of the op behind a word of its form.
fn behind(pieces: &'static [Piece], word: &str) -> Option<&'static Piece> {
    if let Some(at) = pieces.iter().position(|piece| matches!(piece, Piece::Word(found) if *found == word)) {
        return pieces[at + 1..].iter().find(|piece| !matches!(piece, Piece::Punct { .. }));
    }
    pieces.iter().find_map(|piece| match piece {
        Piece::Group(list) | Piece::AnyOrder(list) => behind(list, word),
        _ => None,
    })
}

/// The attribute that the word belongs to, and its op.
fn attribute(cursor: &Cursor) -> Option<(&'static OpRow, &'static AttrRow)> {
    let tree = cursor.tree;
    let op = cursor.node(NodeKind::Op)?;
    let row = tile_dialect::ops().get(tree.slot(op) as usize)?;
    for node in cursor.nodes().take_while(|&node| node != op) {
        match tree.kind(node) {
            NodeKind::Attr => return Some((row, row.attrs.get(tree.slot(node) as usize)?)),
            NodeKind::DictEntry => {
                let name = tree.first_text(node, cursor.text).trim_matches('"');
                let (_, attr) = row.attr(name.strip_prefix(DIALECT_PREFIX).unwrap_or(name))?;
                return Some((row, attr));
            }
            _ => {}
        }
    }
    None
}

/// One value of an enum.
fn one(of: &EnumRow, value: u8, row: &OpRow, attr: &AttrRow) -> String {
    let value = &of.values[value as usize];
    format!("**`{}`** · {}\n\n{}\n\n{}", value.name, of.title, value.doc, about(row, attr))
}

/// All values of an enum that the op takes.
fn all(of: &EnumRow, only: &[u8], row: &OpRow, attr: &AttrRow) -> String {
    let mut text = about(row, attr);
    text.push('\n');
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
