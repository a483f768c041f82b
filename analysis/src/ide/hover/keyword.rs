//! What to show about the keywords and attributes of an op.

use super::super::cursor::Cursor;
use super::Hover;
use std::fmt::Write;
use tile_dialect::{AttrKind, AttrRow, DIALECT_PREFIX, EnumRow, OpRow};
use tile_syntax::NodeKind;

/// A word inside an attribute.
pub(super) fn hover(cursor: &Cursor) -> Option<Hover> {
    let (row, attr) = attribute(cursor)?;
    let text = match attr.kind {
        AttrKind::Enum { of, only, .. } => match of.value(cursor.word().trim_matches('"')) {
            Some(value) => one(of, value, row, attr),
            None => all(of, only, row, attr),
        },
        _ => about(row, attr),
    };
    Some(Hover { range: cursor.word_range(), text })
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
